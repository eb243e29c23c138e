"""Stock's `salt.cloud`: creation of machines, which salt-g does not do."""

from salt_g.compat.refusal import refuse

_ADVICE = "create machines with the tools of the cloud, or with stock's salt-cloud"
Cloud = refuse("salt.cloud.Cloud", _ADVICE)
CloudClient = refuse("salt.cloud.CloudClient", _ADVICE)

__all__ = ["Cloud", "CloudClient"]
