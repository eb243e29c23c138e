"""Data directories, through initdb."""

from __future__ import annotations

import contextlib
import logging
import os

from salt_g.errors import CommandNotFound
from salt_g.modules._programs import run
from salt_g.modules.postgres._psql import Given, note, option, program, secret_file, superuser

log = logging.getLogger(__name__)


def datadir_exists(name: str) -> bool:
    """Return whether a directory is a data directory.

    Example::

        salt-g postgres.datadir_exists /srv/pgsql/data
    """
    return all(os.path.isfile(os.path.join(name, file)) for file in ("PG_VERSION", "postgresql.conf"))


def datadir_init(
    name: str,
    auth: str = "password",
    user: Given = None,
    password: Given = None,
    encoding: str = "UTF8",
    locale: Given = None,
    waldir: Given = None,
    checksums: bool = False,
    runas: Given = None,
) -> bool:
    """Create a data directory; return whether it was created, False if it exists already.

    `user` and `password` are those of the first role; `auth` is the authentication method of local users.

    Example::

        salt-g postgres.datadir_init /srv/pgsql/data auth=peer
    """
    if datadir_exists(name):
        log.info("%s already exists", name)
        return False
    binary = program("initdb")
    if binary is None:
        raise CommandNotFound(
            "initdb executable not found: the package postgresql has it, below /usr/lib/postgresql/*/bin,"
            " which the setting postgres.bins_dir may name"
        )
    owner = runas or superuser()
    argv = [binary, f"--pgdata={name}", f"--username={user or owner}", f"--auth={auth}"]
    argv.append(f"--encoding={encoding}")
    argv += [f"--locale={locale}"] if locale is not None else []
    argv += ["-X", waldir] if waldir is not None else []
    argv += ["--data-checksums"] if checksums else []
    with contextlib.ExitStack() as stack:
        if password is not None:
            argv.append(f"--pwfile={stack.enter_context(secret_file(str(password), owner))}")
        timeout = option("timeout", 0) or None
        finished = run(argv, runas=owner, clean_env=True, timeout=timeout)
    return note(finished, "initdb")["retcode"] == 0
