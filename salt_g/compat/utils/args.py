"""Stock's `salt.utils.args`."""

from typing import Any


def clean_kwargs(**kwargs: Any) -> dict[str, Any]:
    """Return the keyword arguments without those that begin with two underscores."""
    return {name: value for name, value in kwargs.items() if not name.startswith("__")}
