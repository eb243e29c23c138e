"""Rendering, compiling and running states."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    both("allow_undefined", bool, UNSET, "Let templates use undefined variables."),
    both("default_top", str, "base", "Environment whose top file wins with `same`."),
    minion("disabled_requisites", str | list, [], "Requisites that are ignored."),
    both("env_order", list, [], "Order in which environments merge."),
    both("environment", str | None, UNSET, "Old name of `saltenv`."),
    both("failhard", bool, False, "Stop a run at the first failed state."),
    minion(
        "global_state_conditions",
        dict | None,
        None,
        "Conditions (`onlyif`, `unless`) for all states of a module.",
    ),
    master("jinja_env", dict, {}, "Options of the Jinja environment of templates."),
    master("jinja_lstrip_blocks", bool, False, "Old form of `lstrip_blocks` in `jinja_env`."),
    master("jinja_sls_env", dict, {}, "Options of the Jinja environment of SLS files."),
    master("jinja_trim_blocks", bool, False, "Old form of `trim_blocks` in `jinja_env`."),
    both("lock_saltenv", bool, False, "Refuse another `saltenv` on the command line."),
    master("master_tops", dict, {}, "Sources of top data besides the top file."),
    both("master_tops_first", bool, False, "Run what they name before what the top file names."),
    master("nodegroups", dict | list, {}, "Named compound targets."),
    minion("nodegroups_local", dict, UNSET, "Old name for nodegroups in a minion's config."),
    both("renderer", str, "jinja|yaml", "Pipe of renderers of files without a `#!` line."),
    both("renderer_blacklist", list, [], "Renderers that may not be used."),
    both("renderer_whitelist", list, [], "Renderers that may be used; empty for all."),
    both("saltenv", str | None, None, "File environment; null for all that the top file names."),
    minion("sls_list", list, [], "SLS names applied at start with `startup_states: sls`."),
    minion("snapper_states", bool, False, "Take snapper snapshots around state runs."),
    minion("snapper_states_config", str, "root", "Snapper configuration for them."),
    minion("startup_states", str, "", "What is applied at start: empty, `highstate`, `sls` or `top`."),
    both(
        "state_aggregate",
        bool | list | str,
        False,
        "Join packages of several states into one call; true, or a list of modules.",
    ),
    both("state_auto_order", bool, True, "Run states in the order of their files."),
    both("state_data", str | None, UNSET, "`terse` shortens the returned data."),
    both("state_events", bool, False, "Fire an event for each state that ran."),
    both("state_max_parallel", int, 0, "States with `parallel` that run at once, 0 for no limit.", "states"),
    minion(
        "state_queue", bool | int | str, False, "Wait for a running state job; true, or how many may wait."
    ),
    both("state_top", str, "top.sls", "Name of the top file."),
    both("state_top_saltenv", str | None, None, "Environment whose top file alone counts."),
    both("test", bool, False, "Change nothing, say what would change."),
    both("thorium_interval", float, 0.5, "Pause between two thorium rounds.", "s"),
    both("thorium_roots", dict, {"base": ["/srv/thorium"]}, "Directories of thorium files."),
    both("thorium_top", str, "top.sls", "Name of the thorium top file."),
    both("thoriumenv", str | None, None, "Environment of thorium."),
    minion("top_file", str, "", "Top file applied at start with `startup_states: top`."),
    both(
        "top_file_merging_strategy",
        str,
        "merge",
        "How top files of environments merge: `merge`, `same` or `merge_all`.",
    ),
    both("use_superseded", list, UNSET, "Functions that behave as their successors already."),
)
