"""rsync: copies of trees on this machine, to and from other machines, and from the file server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from salt_g import safe_files
from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._programs import act, is_installed, output
from salt_g.modules._required import hint
from salt_g.shapes import Completed

#: The daemon's configuration file.
_CONFIG = "/etc/rsyncd.conf"
#: Arguments with defaults from settings or pillar (`rsync.<argument>`).
_SETTINGS = (
    *("src", "dst", "delete", "force", "update", "passwordfile", "exclude", "excludefrom", "dryrun", "rsh"),
)


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed("rsync"):
        return True
    why = "The rsync execution module cannot be loaded: the rsync binary is not in the path."
    return False, why + hint("rsync")


def rsync(
    src: str,
    dst: str,
    delete: bool = False,
    force: bool = False,
    update: bool = False,
    passwordfile: str | None = None,
    exclude: Any = None,
    excludefrom: str | None = None,
    dryrun: bool = False,
    rsh: str | None = None,
    additional_opts: list[str] | None = None,
    saltenv: str = "base",
) -> Completed:
    """Copy a tree or a file; return the result of `cmd.run_all`.

    `src` may be on the file server (`salt://…`). `delete` removes files that are not in the source, `force`
    lets a file replace a directory that is not empty, `update` keeps newer files of the destination,
    `passwordfile` holds the password for an rsync daemon, `exclude` is a pattern or a list of patterns,
    `excludefrom` a file of patterns that replaces `exclude`, `dryrun` changes nothing, `rsh` is the remote
    shell, `additional_opts` a list of further options. The settings `rsync.src`, `rsync.delete`, ... replace
    empty arguments, except `additional_opts`.

    Example::

        salt-g rsync.rsync /path/to/src /path/to/dest update=True passwordfile=/etc/rsync.secret
    """
    given = dict(
        zip(
            _SETTINGS,
            (src, dst, delete, force, update, passwordfile, exclude, excludefrom, dryrun, rsh),
            strict=True,
        )
    )
    wanted = {key: value or call("config.option", f"rsync.{key}") for key, value in given.items()}
    if not wanted["src"] or not wanted["dst"]:
        raise InvocationError("src and dst cannot be empty")
    further = additional_opts if isinstance(additional_opts, list) else []
    if ":" not in str(wanted["dst"]).partition("/")[0]:
        safe_files.check(str(wanted["dst"]))
    with _local(str(wanted["src"]), saltenv) as source:
        return act(["rsync", *_options(wanted), *map(str, further), source, str(wanted["dst"])])


def version() -> str:
    """Return the version of rsync.

    Example::

        salt-g rsync.version
    """
    words = output(["rsync", "--version"]).splitlines()[:1]
    if not words or len(words[0].split()) < 3:
        raise CommandExecutionError("Unable to determine rsync version")
    return words[0].split()[2]


def config(conf_path: str = _CONFIG) -> str:
    """Return the text of the configuration file of rsync's daemon.

    Example::

        salt-g rsync.config
    """
    try:
        with open(conf_path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        raise CommandExecutionError(f"{conf_path} does not exist") from None
    except PermissionError:
        raise CommandExecutionError(f"Unable to read {conf_path}, access denied") from None
    except IsADirectoryError:
        raise CommandExecutionError(f"Unable to read {conf_path}, path is a directory") from None


def _options(wanted: dict[str, Any]) -> list[str]:
    words = ["-avz", *(f"--{switch}" for switch in ("delete", "force", "update") if wanted[switch])]
    words += [f"--rsh={wanted['rsh']}"] if wanted["rsh"] else []
    words += ["--password-file", wanted["passwordfile"]] if wanted["passwordfile"] else []
    if wanted["excludefrom"]:
        words += ["--exclude-from", wanted["excludefrom"]]
    elif wanted["exclude"]:
        patterns = wanted["exclude"] if isinstance(wanted["exclude"], list) else [wanted["exclude"]]
        words += [word for pattern in patterns for word in ("--exclude", str(pattern))]
    return [*words, "--dry-run"] if wanted["dryrun"] else words


@contextmanager
def _local(source: str, saltenv: str) -> Iterator[str]:
    """Yield a source as rsync takes it; one on the file server is copied to a temporary directory first."""
    if not source.startswith("salt://"):
        yield source
        return
    directory = tempfile.mkdtemp()
    try:
        path = source[len("salt://") :]
        if path.rstrip("/") in call("cp.list_master_dirs", saltenv=saltenv):
            found = call("cp.get_dir", source.rstrip("/"), directory, saltenv)
            # A trailing slash copies the contents instead of the directory itself.
            local = os.path.join(directory, "")
        else:
            local = os.path.join(directory, os.path.basename(path))
            found = call("cp.get_file", source, local, saltenv)
        if not found:
            raise CommandExecutionError(f"{source} does not exist")
        yield local
    finally:
        shutil.rmtree(directory, ignore_errors=True)
