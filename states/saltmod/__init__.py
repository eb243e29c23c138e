"""Orchestrate: run states, functions, runners and wheel functions from the master, in order.

For `salt-g run state.orchestrate`. Begin with `applying.py` (`salt.state`).
"""

from salt_g.states.saltmod.applying import state
from salt_g.states.saltmod.calling import function
from salt_g.states.saltmod.on_master import runner, wheel
from salt_g.states.saltmod.side_by_side import parallel_runners
from salt_g.states.saltmod.waiting import wait_for_event

__virtualname__ = "salt"

__all__ = ["function", "parallel_runners", "runner", "state", "wait_for_event", "wheel"]
