"""States of LVM: devices (`physical`), volume groups (`groups`), logical volumes (`logical`)."""

from __future__ import annotations

from salt_g.process.command import which
from salt_g.states.lvm.groups import vg_absent, vg_present
from salt_g.states.lvm.logical import lv_absent, lv_present
from salt_g.states.lvm.physical import pv_absent, pv_present

__all__ = ["lv_absent", "lv_present", "pv_absent", "pv_present", "vg_absent", "vg_present"]


def __virtual__() -> bool | tuple[bool, str]:
    return True if which("lvm") else (False, "lvm command not found")
