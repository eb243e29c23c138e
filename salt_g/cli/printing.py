"""Output of results through an outputter, to the terminal or a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import salt_g.cli.exit_codes as exit_codes
import salt_g.cli.stdio as stdio
from salt_g import output

if TYPE_CHECKING:
    from salt_g.api import CallContext
    from salt_g.shapes import Opts

#: User-defined outputters by name.
Outputters = Mapping[str, Callable[..., str]]


def show(data: Mapping[str, Any], native: str | None, context: CallContext, *, retcode: int = 0) -> int:
    """Print `data` with the outputter that the user chose, else with the function's default, `native`.

    Secrets are hidden, unless the user requested them (`--show-secrets`). `retcode` only affects the format.
    Return an exit code, which is nonzero if the output file cannot be written.
    """
    if not context.opts.get("__show_secrets"):
        # Imported lazily: data from a master has its secrets hidden already.
        from salt_g.process.secret_hiding import hide

        data = hide(data)
    return present(data, native, context.opts, retcode=retcode, plugins=context.table("outputters"))


def present(
    data: Any,
    native: str | None,
    opts: Opts,
    *,
    retcode: int = 0,
    plugins: Outputters | None = None,
) -> int:
    """Print `data` as `show` does, but with the settings `opts` and without hiding secrets."""
    opts = {**opts, "color": wants_colour(opts)}
    name = output.outputter_for(opts.get("output"), native)
    text = output.render(name, data, opts, retcode=retcode, plugins=plugins)
    if not opts.get("output_file"):
        _print(text)
        return exit_codes.OK
    return _write(text, opts["output_file"], append=bool(opts.get("output_file_append")))


def present_nothing(opts: Opts) -> None:
    """Print an empty result if a program reads standard output; the caller prints the reason to stderr."""
    if stdio.notices(opts) is sys.stderr:
        present({}, None, opts)


def wants_colour(opts: Opts) -> bool:
    """Return whether to colour the output: if the settings force it, or at a terminal unless disabled."""
    import os

    if opts.get("force_color"):
        return True
    if opts.get("color") is False or os.environ.get("NO_COLOR") or opts.get("output_file"):
        return False
    return stdio.is_terminal(sys.stdout)


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
