"""Print a result through an outputter, to the terminal or into a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import salt_g.cli.exit_codes as exit_codes
from salt_g import output

if TYPE_CHECKING:
    from salt_g.api import CallContext

#: Users' outputters by name.
Outputters = Mapping[str, Callable[..., str]]


def show(data: Mapping[str, Any], native: str | None, context: CallContext, *, retcode: int = 0) -> int:
    """Print `data` through the outputter that the user named, else the function's own.

    Returns the exit code: not 0 when the file to write to cannot be written.
    """
    return present(data, native, context.opts, retcode=retcode, plugins=context.table("outputters"))


def present(
    data: Any,
    native: str | None,
    opts: Mapping[str, Any],
    *,
    retcode: int = 0,
    plugins: Outputters | None = None,
) -> int:
    """Print `data` with the settings `opts`, outside of any call; else like `show`."""
    opts = {**opts, "color": wants_colour(opts)}
    name = output.outputter_for(opts.get("output"), native)
    text = output.render(name, data, opts, retcode=retcode, plugins=plugins)
    if not opts.get("output_file"):
        _print(text)
        return exit_codes.OK
    return _write(text, opts["output_file"], append=bool(opts.get("output_file_append")))


def wants_colour(opts: Mapping[str, Any]) -> bool:
    """Return whether to colour: forced, or a terminal that nobody asked to stay plain."""
    import os

    if opts.get("force_color"):
        return True
    if opts.get("color") is False or os.environ.get("NO_COLOR") or opts.get("output_file"):
        return False
    return sys.stdout.isatty()


def _print(text: str) -> None:
    if not text:
        return
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise OSError(exc.errno, exc.strerror, "standard output") from exc


def _write(text: str, path: str, *, append: bool) -> int:
    try:
        with open(path, "a" if append else "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text + "\n")
    except OSError as exc:
        print(f"--out-file: {path}: {exc.strerror}", file=sys.stderr)
        return exit_codes.FAILED
    return exit_codes.OK
