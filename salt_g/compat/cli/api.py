"""Stock's `salt.cli.api`: the program `salt-api`."""

from salt_g.compat.refusal import refuse

_ADVICE = "start the HTTP API with `salt-g api`"
SaltAPI = refuse("salt.cli.api.SaltAPI", _ADVICE)

__all__ = ["SaltAPI"]
