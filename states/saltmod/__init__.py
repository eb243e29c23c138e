"""Orchestration: states, functions, runners and wheel functions run from the master, in order.

For `salt-g run state.orchestrate`. Begin with `salt_state.py` (`salt.state`).
"""

from salt_g.states.saltmod.parallel_runners import parallel_runners
from salt_g.states.saltmod.runner_wheel import runner, wheel
from salt_g.states.saltmod.salt_function import function
from salt_g.states.saltmod.salt_state import state
from salt_g.states.saltmod.wait_for_event import wait_for_event

__virtualname__ = "salt"

__all__ = ["function", "parallel_runners", "runner", "state", "wait_for_event", "wheel"]
