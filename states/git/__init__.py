"""States of Git checkouts and Git configuration. Begin with `latest`."""

from __future__ import annotations

from salt_g.api import functions
from salt_g.states.git.cloned import cloned
from salt_g.states.git.config import config_set, config_unset
from salt_g.states.git.detached import detached
from salt_g.states.git.latest import latest
from salt_g.states.git.present import present

__all__ = ["cloned", "config_set", "config_unset", "detached", "latest", "present"]


def __virtual__() -> bool | tuple[bool, str]:
    return True if "git.version" in functions else (False, "git module could not be loaded")
