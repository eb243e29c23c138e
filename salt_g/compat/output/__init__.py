"""Stock's `salt.output`: the formatting of data as text."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.formats import ansi
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


def string_format(data: Any, out: str | None, opts: Mapping[str, Any] | None = None, **stock: Any) -> str:
    """Return data in the format of an outputter, without colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", out_format(data, out, opts, **stock))


def html_format(data: Any, out: str | None, opts: Mapping[str, Any] | None = None, **stock: Any) -> str:
    """Return data in the format of an outputter as HTML that keeps spaces and line breaks."""
    text = string_format(data, out, opts, **stock)
    return text.replace(" ", "&nbsp;").replace("\n", "<br />")


try_printout = out_format


def get_printout(
    out: str | None, opts: Mapping[str, Any] | None = None, **stock: Any
) -> Callable[[Any], str]:
    """Return the function with which an outputter formats data as text."""
    return lambda data: out_format(data, out, opts)


def strip_esc_sequence(txt: Any) -> Any:
    """Return a text with each ESC replaced by `?`; return other values unchanged."""
    return ansi.without_escapes(txt) if isinstance(txt, str) else txt


def display_output(
    data: Any, out: str | None = None, opts: Mapping[str, Any] | None = None, _retcode: int | None = None
) -> None:
    """Print data in the format of an outputter."""
    print(out_format(data, out, opts, _retcode))


__all__ = ["display_output", "get_printout", "html_format", "out_format", "string_format"]
__all__ += ["strip_esc_sequence", "try_printout"]
