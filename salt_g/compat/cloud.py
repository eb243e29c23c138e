"""Stock's `salt.cloud`: creation of machines, which salt-g does not do."""

from salt_g import stock_errors
from salt_g.compat.refusal import refuse

_ADVICE = "create machines with the tools of the cloud, or with stock's salt-cloud"
Cloud = refuse("salt.cloud.Cloud", _ADVICE)
CloudClient = refuse("salt.cloud.CloudClient", _ADVICE)
Map = refuse("salt.cloud.Map", _ADVICE)
#: Exceptions that stock's module imports, and that plugins import from there.
_NAMES = [name for name in vars(stock_errors) if name.startswith("SaltCloud")]
globals().update({name: vars(stock_errors)[name] for name in _NAMES})

__all__ = ["Cloud", "CloudClient", "Map", *_NAMES]
