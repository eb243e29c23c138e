"""Stock's `salt.output`: data as text."""

from collections.abc import Mapping
from typing import Any

from salt_g.output import registry


def out_format(
    data: Any,
    out: str | None,
    opts: Mapping[str, Any] | None = None,
    _retcode: int | None = None,
    **stock: Any,
) -> str:
    """Return data in the format of an outputter."""
    return registry.render(out, data, opts or {}, retcode=_retcode or 0)


string_format = out_format


def display_output(
    data: Any, out: str | None = None, opts: Mapping[str, Any] | None = None, _retcode: int | None = None
) -> None:
    """Print data in the format of an outputter."""
    print(out_format(data, out, opts, _retcode))


__all__ = ["display_output", "out_format", "string_format"]
