"""Parameters of `user.present`, normalized for comparison.

Units: days for the password-aging fields. The password is a hash once `settle` has run.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Sequence
from typing import Any

from salt_g.api import call, has
from salt_g.shapes import GECOS

log = logging.getLogger(__name__)

#: {identifier in a hash: algorithm}
ALGORITHMS = {"1": "md5", "2a": "blowfish", "2b": "blowfish", "5": "sha256", "6": "sha512"}


@dataclasses.dataclass
class UserParams:
    """Arguments of `user.present`, by name."""

    name: str
    uid: int | None
    gid: int | str | None
    usergroup: bool | None
    groups: Sequence[str] | None
    optional_groups: Sequence[str] | None
    remove_groups: bool
    home: str | None
    createhome: bool
    persist_home: bool
    password: str | None
    hash_password: bool
    enforce_password: bool
    empty_password: bool
    shell: str | None
    unique: bool
    system: bool
    fullname: Any
    roomnumber: Any
    workphone: Any
    homephone: Any
    other: Any
    date: Any
    mindays: int | None
    maxdays: int | None
    inactdays: int | None
    warndays: int | None
    expire: Any
    nologinit: bool
    allow_uid_change: bool
    allow_gid_change: bool
    password_lock: bool | None
    local: bool
    #: Requested groups that do not exist; in test mode they may still be created.
    missing_groups: list[str] = dataclasses.field(default_factory=list)

    def settle(self) -> None:
        """Convert the GECOS fields to text, hash the password and find the existing groups."""
        for key in GECOS:
            if getattr(self, key) is not None:
                setattr(self, key, str(getattr(self, key)))
        if self.password and self.hash_password:
            self.password = _hashed(self.name, self.password)
        self.missing_groups = [group for group in self.groups or () if not call("group.info", group)]
        if self.optional_groups:
            self.optional_groups = [group for group in self.optional_groups if call("group.info", group)]

    def wrong(self) -> str:
        """Return the problem with the arguments, or '' if there is none."""
        for key in GECOS[:3]:
            if "," in (getattr(self, key) or ""):
                return f"Unsupported char ',' in {getattr(self, key)}"
        return ""

    @property
    def all_groups(self) -> list[str] | None:
        """Wanted groups, including optional ones; None if the SLS specifies no groups."""
        if self.groups is None and not self.optional_groups:
            return None
        return [*(self.groups or ()), *(self.optional_groups or ())]

    def info(self) -> dict[str, Any]:
        """Return `user.info` of the user, or {} if it does not exist."""
        return dict(call("user.info", self.name, **({"root": "/"} if self.local else {})))

    def shadow(self) -> dict[str, Any]:
        """Return `shadow.info` of the user, or {} where there is no shadow file."""
        return call("shadow.info", self.name) if has("shadow.info") else {}


def _hashed(name: str, password: str) -> str:
    """Return the hash of a password, with the salt of the user's current hash so that both are comparable."""
    parts = call("shadow.info", name)["passwd"].split("$")
    if len(parts) != 4 or parts[1] not in ALGORITHMS:
        return str(call("shadow.gen_password", password))
    if parts[1] == "1":
        log.warning("Using MD5 for hashing passwords is considered insecure!")
    return str(call("shadow.gen_password", password, crypt_salt=parts[2], algorithm=ALGORITHMS[parts[1]]))
