"""`salt-g lsp`: language server for SLS files, started by editors."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import salt_g.cli.exit_codes as exit_codes
import salt_g.cli.lint.lint as lint
from salt_g.cli.options import OptionParser, add_logging
from salt_g.errors import SaltGError

if TYPE_CHECKING:
    from salt_g.language_server.project import Project
    from salt_g.shapes import Opts

_EPILOG = """\
examples:
  salt-g lsp                                   for an editor: it speaks on standard input and output
  salt-g lsp --file-root=states --pillar-root=pillar --os debian

Editors may send the same options as initializationOptions: {"file_root": "states", "os": "debian"}.
Nothing of the tree runs, as with `salt-g lint`. docs/language-server.md has the settings of some editors.
exit codes: 0 after shutdown and exit, 1 if the editor disconnected without them, 64 options are wrong.
"""
#: Settings that editors send, named like the command line options; paths are relative to the open folder.
_EDITORS_OPTIONS = ("config_dir", "file_root", "pillar_root", "minion", "os", "saltenv")
_PATHS = ("config_dir", "file_root", "pillar_root")
#: Folders searched for a state tree and a pillar tree when no root is set and the trees of the minion's
#: settings are not in the open folder.
_STATE_FOLDERS = ("states", "salt", "srv/salt")
_PILLAR_FOLDERS = ("pillar", "srv/pillar")


def build_parser(prog: str = "salt-g lsp") -> OptionParser:
    """Return the parser of `salt-g lsp`."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s [options]",
        description="Language server for SLS files, on standard input and output: "
        "findings of lint, completion, hover, definitions.",
        epilog=_EPILOG,
    )
    lint.add_tree(parser)
    parser.add_argument("--stdio", action="store_true", help="accepted, because some editors add it")
    add_logging(parser)
    return parser


def main(words: list[str]) -> int:
    """Run the language server; return the exit code."""
    parser = build_parser()
    options = parser.options_only(words)
    if os.isatty(0):
        print(f"{parser.prog}: started by hand; waiting for messages from an editor", file=sys.stderr)
    return _serve(options)


def _serve(options: argparse.Namespace) -> int:
    import signal
    import tempfile

    from salt_g.language_server.server import serve

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    # Text that is printed by mistake must not reach the editor, which would read it as a message.
    sink = os.dup(1)
    os.dup2(2, 1)
    with lint.quiet(), tempfile.TemporaryDirectory(prefix="salt-g-lsp-") as directory:

        def make_project(wanted: Mapping[str, Any], folder: str) -> Project:
            return _project(options, wanted, folder, directory)

        try:
            return serve(make_project, 0, sink)
        except _Terminated:
            return exit_codes.FAILED


class _Terminated(BaseException):
    """Raised on SIGTERM or SIGHUP; not a SystemExit, which the compiler would attribute to a renderer."""


def _end(number: int, frame: Any) -> None:
    raise _Terminated


def _project(options: argparse.Namespace, wanted: Mapping[str, Any], folder: str, directory: str) -> Project:
    """Return the project for the command-line options and the editor's options, which take precedence."""
    from salt_g.language_server.project import Project
    from salt_g.lint.systems import SYSTEMS

    folder = folder or os.getcwd()
    merged = argparse.Namespace(**vars(options))
    for name, value in _given(wanted).items():
        setattr(merged, name, os.path.join(folder, value) if name in _PATHS else value)
    if merged.os not in (None, "all", *SYSTEMS):
        raise SaltGError(f"os must be one of {', '.join(SYSTEMS)}, all, not {merged.os!r}")
    if merged.os and merged.minion:
        raise SaltGError("os and minion cannot be combined")
    opts = lint.settings_of(merged)
    if not merged.file_root:
        opts = _with_folder(
            opts, folder, saltenv=merged.saltenv or "base", has_pillar=bool(merged.pillar_root)
        )
    systems = lint.systems_of(merged, opts)
    project = Project(opts, systems, directory, is_recorded=bool(merged.minion))
    if merged.saltenv:
        project.lint.check_wanted(())
    return project


def _given(wanted: Mapping[str, Any]) -> dict[str, str]:
    """Return the editor's options; raise SaltGError for unknown options and values that are not strings."""
    for name, value in wanted.items():
        if name not in _EDITORS_OPTIONS:
            known = ", ".join(_EDITORS_OPTIONS)
            raise SaltGError(f"initializationOptions: there is no option {name!r:.100}; known: {known}")
        if value is not None and not isinstance(value, str):
            raise SaltGError(f"initializationOptions: {name} must be a string")
    return {name: value for name, value in wanted.items() if value}


def _with_folder(opts: Opts, folder: str, *, saltenv: str, has_pillar: bool) -> Opts:
    """Return the settings with any trees in `folder` as roots, unless it overlaps a configured root."""
    roots = [os.path.realpath(root) for layers in (opts.get("file_roots") or {}).values() for root in layers]
    real = os.path.realpath(folder)
    if any(os.path.commonpath([real, root]) in (real, root) for root in roots if os.path.isdir(root)):
        return opts
    states = _first(folder, _STATE_FOLDERS) or (folder if _has_sls(folder) else "")
    if not states:
        return opts
    found = {"file_roots": {saltenv: [states]}}
    if not has_pillar:
        pillar = _first(folder, _PILLAR_FOLDERS)
        found["pillar_roots"] = {saltenv: [pillar] if pillar else []}
    return {**opts, **found}


def _has_sls(folder: str) -> bool:
    """Return whether a folder is itself a tree, so that a home directory is not listed as one."""
    import glob

    return any(
        next(glob.iglob(os.path.join(glob.escape(folder), pattern)), "") for pattern in ("*.sls", "*/*.sls")
    )


def _first(folder: str, names: tuple[str, ...]) -> str:
    paths = (os.path.normpath(os.path.join(folder, name)) for name in names)
    return next((path for path in paths if os.path.isdir(path)), "")
