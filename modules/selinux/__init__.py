"""SELinux: its mode, booleans, modules of its policy, contexts of files and ports.

Tested with recorded output of `semanage`, `semodule` and `restorecon`, because Debian's kernels
run without it.
Shapes: a context is {"sel_user", "sel_role", "sel_type", "sel_level"}.
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules._programs import is_installed
from salt_g.modules._required import hint
from salt_g.modules.selinux.booleans import getsebool, list_sebool, setsebool, setsebools
from salt_g.modules.selinux.fcontexts import (
    fcontext_add_policy,
    fcontext_apply_policy,
    fcontext_delete_policy,
    fcontext_get_policy,
    fcontext_policy_is_applied,
    filetype_id_to_string,
)
from salt_g.modules.selinux.mode import getconfig, getenforce, selinux_fs_path, setenforce
from salt_g.modules.selinux.ports import (
    port_add_policy,
    port_delete_policy,
    port_get_policy,
    port_modify_policy,
)
from salt_g.modules.selinux.semodules import getsemod, install_semod, list_semod, remove_semod, setsemod

__all__ = [
    "fcontext_add_policy",
    "fcontext_apply_policy",
    "fcontext_delete_policy",
    "fcontext_get_policy",
    "fcontext_policy_is_applied",
    "filetype_id_to_string",
    "getconfig",
    "getenforce",
    "getsebool",
    "getsemod",
    "install_semod",
    "list_sebool",
    "list_semod",
    "port_add_policy",
    "port_delete_policy",
    "port_get_policy",
    "port_modify_policy",
    "remove_semod",
    "selinux_fs_path",
    "setenforce",
    "setsebool",
    "setsebools",
    "setsemod",
]

_PROGRAMS = ("semanage", "setsebool", "semodule")


def __virtual__() -> bool | tuple[bool, str]:
    missing = next((program for program in _PROGRAMS if not is_installed(program)), None)
    if missing:
        return False, f"{missing} is not in the path.{hint(missing)}"
    if grains.get("kernel") == "Linux":
        return True
    return False, "Module only works on Linux with selinux installed"
