"""States of Docker containers: running, stopped, absent. Begin with `running`."""

from __future__ import annotations

from salt_g.states._docker import offered
from salt_g.states.docker_container.run import run
from salt_g.states.docker_container.running import mod_watch, running
from salt_g.states.docker_container.stopped import absent, stopped

__all__ = ["absent", "mod_watch", "run", "running", "stopped"]


def __virtual__() -> bool | tuple[bool, str]:
    return offered()
