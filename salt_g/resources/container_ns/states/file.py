"""Files, directories and links below the root of a resource, managed by the minion's own states.

`user` and `group` are names in the root; `source` can be a URL or a path on the managing minion. Templates
see the grains and pillar of the resource. Not supported: `check_cmd` of a file, and `clean`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.resources.container_ns.hosted import as_inside, on_host, owners, place
from salt_g.shapes import StateReturn


def managed(name: str, **options: Any) -> StateReturn:
    """Ensure that a file has the content of a source or given contents, and an owner and mode.

    Example::

        /etc/motd:
          file.managed:
            - source: salt://motd.jinja
            - template: jinja
            - mode: '0644'
    """
    return _below("managed", name, options, follow=options.get("follow_symlinks", True) is not False)


def directory(name: str, **options: Any) -> StateReturn:
    """Ensure that a directory exists, with an owner and a mode.

    Example::

        /srv/data:
          file.directory:
            - user: root
            - makedirs: true
    """
    return _below("directory", name, options)


def symlink(name: str, target: str, **options: Any) -> StateReturn:
    """Ensure that a link exists; its target is written as given.

    Example::

        /etc/localtime:
          file.symlink:
            - target: /usr/share/zoneinfo/UTC
    """
    return _below("symlink", name, {**options, "target": target}, follow=False)


def absent(name: str, **options: Any) -> StateReturn:
    """Ensure that a path does not exist.

    Example::

        /etc/nologin:
          file.absent: []
    """
    return _below("absent", name, options, follow=False)


def exists(name: str, **options: Any) -> StateReturn:
    """Check that a path exists.

    Example::

        /etc/passwd:
          file.exists: []
    """
    return _below("exists", name, options)


def missing(name: str, **options: Any) -> StateReturn:
    """Check that a path does not exist.

    Example::

        /etc/nologin:
          file.missing: []
    """
    return _below("missing", name, options)


def touch(name: str, **options: Any) -> StateReturn:
    """Ensure that a file exists, and set its times to now.

    Example::

        /var/lib/done:
          file.touch: []
    """
    return _below("touch", name, options)


def append(name: str, **options: Any) -> StateReturn:
    """Ensure that a file contains lines; missing ones are appended.

    Example::

        /etc/hosts:
          file.append:
            - text: 192.0.2.1 edge
    """
    return _below("append", name, options)


def replace(name: str, **options: Any) -> StateReturn:
    """Ensure that matches of a regular expression in a file are replaced.

    Example::

        /etc/ssh/sshd_config:
          file.replace:
            - pattern: '^PermitRootLogin .*'
            - repl: PermitRootLogin no
    """
    return _below("replace", name, options)


def line(name: str, **options: Any) -> StateReturn:
    """Ensure that a line is in a file, at a position, or absent.

    Example::

        /etc/motd:
          file.line:
            - content: Welcome
            - mode: ensure
            - before: Goodbye
    """
    return _below("line", name, options)


def blockreplace(name: str, **options: Any) -> StateReturn:
    """Ensure that a marked block of a file has the given content.

    Example::

        /etc/hosts:
          file.blockreplace:
            - marker_start: '# BEGIN'
            - marker_end: '# END'
            - content: 192.0.2.1 edge
            - append_if_not_found: true
    """
    return _below("blockreplace", name, options)


def serialize(name: str, **options: Any) -> StateReturn:
    """Ensure that a file contains a value in serialized form.

    Example::

        /etc/app.json:
          file.serialize:
            - dataset: {port: 80}
            - serializer: json
    """
    return _below("serialize", name, options)


def recurse(name: str, source: Any, **options: Any) -> StateReturn:
    """Ensure that a directory contains the files of a tree.

    Example::

        /srv/www:
          file.recurse:
            - source: salt://www
    """
    return _below("recurse", name, {**options, "source": source})


def _below(function: str, name: str, options: Mapping[str, Any], *, follow: bool = True) -> StateReturn:
    """Run a file state of the managing minion below the resource's root; return the resource's paths."""
    unfit = [option for option in ("check_cmd", "clean") if options.get(option)]
    if unfit:
        raise CommandExecutionError(f"file.{function} on container_ns does not support {unfit[0]}")
    here = place(name, follow=follow)
    wanted = owners(options)
    if wanted.get("backupname"):
        wanted["backupname"] = place(wanted["backupname"], follow=False)
    ret: StateReturn = as_inside(on_host("states", f"file.{function}", here, **wanted), {here: name})
    return {**ret, "name": name}
