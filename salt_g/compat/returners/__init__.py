"""Stock's `salt.returners`: the options of a user's returner."""

from collections.abc import Mapping
from typing import Any

from salt_g.returners._options import options


def get_returner_options(
    virtualname: str | None = None,
    ret: Any = None,
    attrs: Mapping[str, str] | None = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Return the options of the returner `virtualname` for a return.

    `attrs` is {option: name in the settings}; `defaults` can give default values.
    """
    attrs = attrs or {}
    defaults = kwargs.get("defaults") or {}
    found = options(str(virtualname), ret, {name: defaults.get(option) for option, name in attrs.items()})
    return {**found, **{option: found[name] for option, name in attrs.items()}}


__all__ = ["get_returner_options"]
