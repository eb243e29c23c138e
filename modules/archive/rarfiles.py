"""Rar archives, handled by the programs rar and unrar."""

from __future__ import annotations

import os
from typing import Any

import salt_g.modules.archive.arguments as arguments
from salt_g.process import command


def rar(
    rarfile: str, sources: Any, template: str | None = None, cwd: str | None = None, runas: str | None = None
) -> list[str]:
    """Pack files into a rar archive and return the output lines of rar.

    For `sources`, `cwd`, `template` and `runas` see `archive.tar`.

    Example::

        salt-g archive.rar /tmp/rarfile.rar '/tmp/a, /tmp/b'
    """
    where = {"cwd": cwd, "template": template, "runas": runas}
    arguments.check_places(runas, os.path.join(cwd or "", rarfile))
    return arguments.run("rar", "a", "-idp", rarfile, *arguments.expand(sources), **where)


def unrar(
    rarfile: str,
    dest: str,
    excludes: Any = None,
    template: str | None = None,
    runas: str | None = None,
    trim_output: bool | int = False,
) -> list[str]:
    """Unpack a rar archive and return the output lines of unrar.

    excludes
        Files to leave out, a list or comma-separated text.
    template, runas
        As in `cmd.run`.
    trim_output
        Maximum number of lines to return; True means 100.

    Example::

        salt-g archive.unrar /tmp/rarfile.rar /tmp/target excludes=file_1,file_2
    """
    program = "rar" if command.which("unrar") is None and command.which("rar") else "unrar"
    arguments.check_places(runas, dest)
    without = [word for path in arguments.words(excludes) for word in ("-x", path)]
    lines = arguments.run(program, "x", "-idp", rarfile, *without, dest, template=template, runas=runas)
    return arguments.trim(lines, trim_output)
