"""States of access control lists, with one entry (`single_entry`) or several (`entry_list`)."""

from __future__ import annotations

from salt_g.process.command import which
from salt_g.states.linux_acl.entry_list import list_absent, list_present
from salt_g.states.linux_acl.single_entry import absent, present

__virtualname__ = "acl"

__all__ = ["absent", "list_absent", "list_present", "present"]


def __virtual__() -> str | tuple[bool, str]:
    if which("getfacl") and which("setfacl"):
        return __virtualname__
    return (
        False,
        "The linux_acl state cannot be loaded: the getfacl or setfacl binary is not in the path.",
    )
