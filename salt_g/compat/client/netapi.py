"""Stock's `salt.client.netapi`: the processes of `salt-api`."""

from salt_g.compat.refusal import refuse

NetapiClient = refuse(
    "salt.client.netapi.NetapiClient",
    "start the HTTP API with `salt-g api`, or use `salt.netapi.NetapiClient`",
)

__all__ = ["NetapiClient"]
