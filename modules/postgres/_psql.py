"""Queries to a PostgreSQL server through the program psql.

Passwords stay hidden: the password of the connection is in a temporary file, statements with a secret are
sent through standard input, and errors never quote such a statement.

Errors: a refusal by psql raises nothing; the functions return the same as for an empty server, and psql's
message is kept in the call's scratch dict for the comment of a state.
"""

from __future__ import annotations

import contextlib
import csv
import io
import logging
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from salt_g.api import call, grains, scratch
from salt_g.errors import CommandNotFound
from salt_g.modules._programs import run
from salt_g.process.command import identity, which
from salt_g.process.redaction import RedactedOutput
from salt_g.shapes import Completed

log = logging.getLogger(__name__)

#: Type of an optional argument.
Given = str | None
Port = int | str | None
#: psql's last error message, for the calling state.
ERROR = "postgres.error"


class Server(NamedTuple):
    """Address of a server: `user` is a role, `runas` the system user to run psql as."""

    user: Given = None
    host: Given = None
    port: Port = None
    maintenance_db: Given = None
    password: Given = None
    runas: Given = None

    def settled(self) -> Server:
        """Return the address, completed from the settings `postgres.*` and defaults."""
        host = self.host or option("host")
        is_local = not host or host.startswith("/")
        password = option("pass") if self.password is None else self.password
        return Server(
            user=self.user or option("user"),
            host=host,
            port=self.port or option("port"),
            maintenance_db=self.maintenance_db or option("maintenance_db") or "postgres",
            password=None if password in (None, "") else str(password),
            runas=self.runas or (superuser() if is_local else None),
        )


def option(name: str, default: Any = "") -> Any:
    """Return the value of `postgres.<name>` in settings, grains or pillar."""
    return call("config.option", f"postgres.{name}", default)


def superuser() -> str:
    """Return the system user that owns servers on this OS."""
    return "_postgresql" if "OpenBSD" in grains.get("os_family", "") else "postgres"


def program(name: str) -> str | None:
    """Return the path of a PostgreSQL program; `postgres.bins_dir` is searched first."""
    directory = option("bins_dir")
    return (which(os.path.join(directory, name)) if directory else None) or which(name)


def execute(server: Server, sql: str) -> Completed:
    """Run statements without secrets in one transaction."""
    return _psql(server, ["-c", sql])


def succeeds(server: Server, sql: str) -> bool:
    """Return whether statements without secrets succeeded."""
    return execute(server, sql)["retcode"] == 0


def execute_secret(server: Server, statements: Sequence[str]) -> Completed:
    """Run many statements, or statements with secrets, in one transaction."""
    words = ["--single-transaction", "--quiet", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=terse", "-f", "-"]
    text = "".join(f"{statement};\n" for statement in statements)
    return _psql(server, words, stdin=text, stdin_raw_newlines=True)


def rows(server: Server, query: str, *, write: bool = False) -> list[dict[str, str]]:
    """Return the rows of a query as {column: text}, or [] if psql refuses it; NULL is ''."""
    copy = f"COPY ({query.strip().rstrip(';')}) TO STDOUT WITH CSV HEADER"
    if write:
        copy = f"START TRANSACTION READ WRITE; {copy}; COMMIT TRANSACTION;"
    # Otherwise psql prints COMMIT behind the rows, and from version 15 on START TRANSACTION before them.
    finished = _psql(server, ["--quiet", "-v", "datestyle=ISO,MDY", "-c", copy])
    if finished["retcode"] != 0:
        return []
    header, *values = [row for row in csv.reader(io.StringIO(finished["stdout"])) if row] or [[]]
    return [dict(zip(header, row, strict=False)) for row in values]


def by_name(found: list[dict[str, str]], column: str = "Name") -> dict[str, dict[str, str]]:
    """Return rows keyed by the value of one column, which is removed from them."""
    return {row.pop(column): row for row in found}


@contextlib.contextmanager
def secret_file(text: str, owner: Given) -> Iterator[str]:
    """Write a secret to a file private to `owner` (None: the current user) for the duration of the block."""
    import tempfile

    with tempfile.NamedTemporaryFile("w", prefix="salt-g-pg", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        if owner:
            os.fchown(file.fileno(), identity(owner).uid, -1)
        yield file.name


def note(finished: Completed, what: str) -> Completed:
    """Log the message of a failed program, keep it for the calling state, and mark the call as failed."""
    if finished["retcode"] != 0:
        said = finished["stderr"].strip() or f"{what} ended with {finished['retcode']}"
        log.error("PostgreSQL: %s", RedactedOutput(said))
        scratch[ERROR] = said
        scratch["retcode"] = 1
    return finished


def _psql(server: Server, words: Sequence[str], **options: Any) -> Completed:
    at = server.settled()
    binary = program("psql")
    if binary is None:
        raise CommandNotFound("program 'psql' is not installed; the package postgresql-client has it")
    argv = [binary, "--no-align", "--no-readline", "--no-psqlrc", "--no-password"]
    for flag, value in (("--username", at.user), ("--host", at.host), ("--port", at.port)):
        argv += [flag, str(value)] if value else []
    argv += ["--dbname", str(at.maintenance_db), *words]
    options |= {"runas": at.runas, "timeout": option("timeout", 0) or None, "clean_env": True}
    options["reset_system_locale"] = False
    if at.password is None:
        return note(run(argv, **options), "psql")
    escaped = at.password.replace("\\", "\\\\").replace(":", "\\:")
    with secret_file(f"*:*:*:*:{escaped}\n", at.runas) as path:
        return note(run(argv, env={"PGPASSFILE": path}, **options), "psql")
