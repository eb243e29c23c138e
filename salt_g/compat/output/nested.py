"""Stock's `salt.output.nested`: one outputter."""

from typing import Any

from salt_g import api
from salt_g.output import registry


def output(data: Any, **kwargs: Any) -> str:
    """Return data as text; the settings are those of the call."""
    opts = dict(api.current().opts) if api.is_running() else {}
    return registry.render("nested", data, opts)


__all__ = ["output"]
