"""Privileges as text: parsing of GRANT and SHOW GRANTS, and comparison of privileges.

Servers quote names and name some privileges differently, so texts cannot be compared as they are.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from salt_g.errors import InvocationError
from salt_g.modules.mysql._server import Version, identifier

_NAME = r"(?:`(?:[^`]|``)*`|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[^\s@'`\"]+)"
_GRANT = re.compile(
    rf"GRANT\s+(?P<what>.+?)\s+ON\s+(?:(?:TABLE|FUNCTION|PROCEDURE|PACKAGE|PACKAGE\s+BODY)\s+)?"
    rf"(?P<on>(?:{_NAME}|\*)\s*\.\s*(?:{_NAME}|\*))\s+TO\s+(?P<user>{_NAME})(?:@(?P<host>{_NAME}))?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_PRIVILEGE = re.compile(r"\s*([A-Za-z_][\w ]*?)\s*(\([^()]*\))?\s*(?:,|$)")
#: Options of REQUIRE that have a value.
_SSL_WITH_VALUE = ("CIPHER", "ISSUER", "SUBJECT")
#: All options of REQUIRE.
_SSL = (*_SSL_WITH_VALUE, "SSL", "X509")
#: {privilege: (MariaDB's name for it in SHOW GRANTS, first version that uses this name)}
_RENAMED = {
    "REPLICATION REPLICA": ("REPLICATION SLAVE", (10, 5, 1)),
    "REPLICATION CLIENT": ("BINLOG MONITOR", (10, 5, 2)),
    "REPLICA MONITOR": ("SLAVE MONITOR", (10, 5, 9)),
}


class Grant(NamedTuple):
    """Privileges of a user: `privileges` in capitals, a column as `SELECT.name`; `on` as in SQL."""

    privileges: tuple[str, ...]
    on: str
    user: str
    host: str
    can_grant: bool = False

    @property
    def place(self) -> str:
        """The object of the grant, without quotes."""
        return re.sub(r"[`\"\\\s]", "", self.on)


def parse(text: str) -> Grant | None:
    """Return the grant in a line of SHOW GRANTS; None for a line about roles or proxies."""
    found = _GRANT.match(text)
    if found is None:
        return None
    return Grant(
        privileges=tuple(tokens(found["what"])),
        on=re.sub(r"\s*\.\s*", ".", found["on"]),
        user=_bare(found["user"]),
        host=_bare(found["host"] or ""),
        can_grant="WITH GRANT OPTION" in found["rest"].upper(),
    )


def tokens(privileges: str) -> list[str]:
    """Return the privileges of a list, `SELECT (a, b)` as SELECT, SELECT.a, SELECT.b."""
    found: list[str] = []
    for word, columns in _PRIVILEGE.findall(privileges):
        name = re.sub(r"\s+", " ", word).upper()
        found.append("ALL PRIVILEGES" if name == "ALL" else name)
        names = (column.strip().strip("`") for column in columns.strip("()").split(",") if column.strip())
        found += [f"{name}.{column}" for column in names]
    return found


def checked(privileges: str) -> str:
    """Return a list of privileges as SQL; raise InvocationError if it is invalid."""
    text = privileges.strip()
    if "".join(match.group(0) for match in _PRIVILEGE.finditer(text)) != text or not text:
        raise InvocationError(f"Invalid grant : {privileges!r}")
    return "ALL PRIVILEGES" if text.upper() == "ALL" else text.replace("%", "%%")


def place(database: str, *, escape: bool = True) -> str:
    """Return an object (`shop.orders`, `shop.*`) quoted for SQL; with `escape` False it is quoted already."""
    name, _, table = database.rpartition(".")
    if not escape:
        return f"{name}.{table}".replace("%", "%%")
    quoted = name if name == "*" else identifier(name, for_grants=table == "*")
    return f"{quoted}.{table if table == '*' else identifier(table)}"


def requirement(options: Any) -> str:
    """Return the REQUIRE clause for `[{'SSL': True}, {'ISSUER': 'x'}]`; raise InvocationError if invalid."""
    if not options or not isinstance(options, list):
        return ""
    words = []
    for option in options:
        ((name, wanted),) = option.items()
        key = name.strip().upper()
        if key not in _SSL:
            raise InvocationError(f"Invalid SSL option : {name!r}; valid: {', '.join(_SSL)}")
        if key in _SSL_WITH_VALUE:
            text = str(wanted).replace("'", "").replace("\\", "").replace("%", "%%")
            words.append(f"{key} '{text}'")
        elif wanted:
            words.append(key)
    return f" REQUIRE {' AND '.join(words)}" if words else ""


def covers(
    lines: list[str], wanted: list[str], on: str, server: Version, *, grant_option: bool = False
) -> bool:
    """Return whether lines of SHOW GRANTS include all wanted privileges on the object `on`.

    `on` is quoted as by `place`; `grant_option` also requires the right to grant the privileges.
    """
    target = Grant((), on.replace("%%", "%"), "", "").place
    here = [grant for grant in map(parse, lines) if grant and grant.place == target]
    held = {_renamed(name, server).upper() for grant in here for name in grant.privileges}
    if not here or (grant_option and not any(grant.can_grant for grant in here)):
        return False
    # USAGE means no privilege and is not listed together with others.
    needed = {_renamed(name, server).upper() for name in wanted} - {"USAGE"}
    if "GRANT OPTION" in needed and any(grant.can_grant for grant in here):
        needed.discard("GRANT OPTION")
    return needed <= held


def _renamed(name: str, server: Version) -> str:
    new, since = _RENAMED.get(name, (name, ()))
    return new if server.is_mariadb and server.numbers >= since else name


def _bare(name: str) -> str:
    quote = name[:1]
    return name[1:-1].replace(quote * 2, quote) if quote in ("'", "`", '"') else name
