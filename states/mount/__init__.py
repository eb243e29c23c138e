"""States of mounts and swap space, now and at boot. Begin with `mounted`."""

from __future__ import annotations

from salt_g.api import functions
from salt_g.states.mount.fstab import fstab_absent, fstab_present
from salt_g.states.mount.mounted import mod_watch, mounted
from salt_g.states.mount.swap import swap
from salt_g.states.mount.unmounted import unmounted

__all__ = ["fstab_absent", "fstab_present", "mod_watch", "mounted", "swap", "unmounted"]


def __virtual__() -> bool | tuple[bool, str]:
    return True if "mount.mount" in functions else (False, "mount state: there is no mount module here")
