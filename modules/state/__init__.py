"""Compilation and runs of states on this machine.

Read `apply.py` first; `_running.py` holds the parts common to all entry points (lock, pillar, exit code).
"""

from salt_g.modules.state.apply import (
    apply,
    apply_plan,
    high,
    highstate,
    low,
    orchestrate,
    single,
    sls,
    sls_id,
    template,
    template_str,
    test,
    top,
)
from salt_g.modules.state.bundle import pkg
from salt_g.modules.state.control import (
    clear_cache,
    event,
    get_pauses,
    pause,
    resume,
    rm_pause,
    running,
    soft_kill,
)
from salt_g.modules.state.disabling import disable, enable, list_disabled
from salt_g.modules.state.requests import check_request, clear_request, request, run_request
from salt_g.modules.state.show import (
    graph,
    graph_highstate,
    id_exists,
    show_highstate,
    show_low_sls,
    show_lowstate,
    show_sls,
    show_state_usage,
    show_states,
    show_top,
    sls_exists,
)
from salt_g.modules.state.undo import undo
from salt_g.modules.state.waiting import _check_queue, _prior_running_states, _wait  # noqa: F401

__all__ = [
    "apply",
    "apply_plan",
    "check_request",
    "clear_cache",
    "clear_request",
    "disable",
    "enable",
    "event",
    "get_pauses",
    "graph",
    "graph_highstate",
    "high",
    "highstate",
    "id_exists",
    "list_disabled",
    "low",
    "orchestrate",
    "pause",
    "pkg",
    "request",
    "resume",
    "rm_pause",
    "run_request",
    "running",
    "show_highstate",
    "show_low_sls",
    "show_lowstate",
    "show_sls",
    "show_state_usage",
    "show_states",
    "show_top",
    "single",
    "sls",
    "sls_exists",
    "sls_id",
    "soft_kill",
    "template",
    "template_str",
    "test",
    "top",
    "undo",
]

#: Functions whose result is a running dict, displayed as such.
__outputter__ = dict.fromkeys(
    (
        *("apply", "highstate", "sls", "sls_id", "single", "top", "template", "template_str", "test", "pkg"),
        *("apply_plan", "request", "check_request", "run_request"),
    ),
    "highstate",
)
