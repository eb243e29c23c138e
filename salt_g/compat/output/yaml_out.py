"""Stock's `salt.output.yaml_out`: the outputter `yaml`."""

from typing import Any

from salt_g import api
from salt_g.output import registry


def output(data: Any, **kwargs: Any) -> str:
    """Return data as text, formatted with the settings of the running call."""
    opts = dict(api.current().opts) if api.is_running() else {}
    return registry.render("yaml", data, opts)


__all__ = ["output"]
