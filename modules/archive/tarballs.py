"""Tar archives and gzip, handled by their programs."""

from __future__ import annotations

import os
from typing import Any

import salt_g.modules.archive.arguments as arguments
from salt_g.errors import InvocationError


def tar(
    options: str,
    tarfile: str,
    sources: Any = None,
    dest: str | None = None,
    cwd: str | None = None,
    template: str | None = None,
    runas: str | None = None,
) -> list[str]:
    """Run tar and return its output lines.

    options
        Options of tar: `czf`, `xvf`.
    tarfile
        The archive.
    sources
        Files to pack, a list or comma-separated text; globs are allowed.
    dest
        Directory to unpack into.
    cwd, template, runas
        As in `cmd.run`.

    Example::

        salt-g archive.tar cjvf /tmp/backup.tar.bz2 '[/srv/a, /srv/b]'
    """
    if not options:
        raise InvocationError("Tar options can not be empty")
    arguments.check_places(runas, dest, cwd, os.path.join(cwd or "", tarfile))
    into = ["-C", dest] if dest else []
    where = {"cwd": cwd, "template": template, "runas": runas}
    return arguments.run("tar", *options.split(), tarfile, *into, *arguments.expand(sources), **where)


def gzip(
    sourcefile: str, template: str | None = None, runas: str | None = None, options: str | None = None
) -> list[str]:
    """Compress a file and return the output lines of gzip.

    `options` is a single option of gzip; `template` and `runas` are as in `cmd.run`.

    Example::

        salt-g archive.gzip /tmp/file.txt options=--keep
    """
    given = [options] if options else []
    return arguments.run("gzip", *given, sourcefile, template=template, runas=runas)


def gunzip(
    gzipfile: str, template: str | None = None, runas: str | None = None, options: str | None = None
) -> list[str]:
    """Decompress a file and return the output lines of gunzip.

    `options` is a single option of gunzip; `template` and `runas` are as in `cmd.run`.

    Example::

        salt-g archive.gunzip /tmp/file.txt.gz options=--keep
    """
    given = [options] if options else []
    return arguments.run("gunzip", *given, gzipfile, template=template, runas=runas)
