"""Settings of rendering, compiling and running states."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    both("allow_undefined", bool, UNSET, "Let templates use undefined variables."),
    both("default_top", str, "base", "Environment whose top file takes precedence with `same`."),
    minion("disabled_requisites", str | list, [], "Requisites to ignore."),
    both("env_order", list, [], "Order in which environments merge."),
    both("environment", str | None, UNSET, "Old name of `saltenv`."),
    both("failhard", bool, False, "Stop a state run at the first failure."),
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
    master("master_tops", dict, {}, "Sources of top data other than the top file."),
    both("master_tops_first", bool, False, "Apply the states of these sources before those of the top file."),
    master("nodegroups", dict | list, {}, "Named compound targets."),
    minion("nodegroups_local", dict, UNSET, "Old name for nodegroups in a minion's config."),
    both("renderer", str, "jinja|yaml", "Pipe of renderers of files without a `#!` line."),
    both("renderer_blacklist", list, [], "Forbidden renderers."),
    both("renderer_whitelist", list, [], "Allowed renderers; empty for all."),
    both("saltenv", str | None, None, "File environment; null for all in the top file."),
    minion("sls_list", list, [], "SLS names applied at start with `startup_states: sls`."),
    minion("snapper_states", bool, False, "Take snapper snapshots before and after state runs."),
    minion("snapper_states_config", str, "root", "Snapper configuration for them."),
    minion("startup_states", str, "", "States applied at start: empty, `highstate`, `sls` or `top`."),
    both(
        "state_aggregate",
        bool | list | str,
        False,
        "Combine packages of several states into one call: true, or a list of modules.",
    ),
    both("state_auto_order", bool, True, "Run states in the order of their files."),
    both("state_data", str | None, UNSET, "Amount of returned data; `terse` shortens it."),
    both("state_events", bool, False, "Fire an event for each state that ran."),
    both("state_max_parallel", int, 0, "States with `parallel` that run concurrently, 0 for no limit.", "states"),
    minion(
        "state_queue", bool | int | str, False, "Queue behind a running state job: true, or the maximum queue length."
    ),
    both("state_top", str, "top.sls", "Name of the top file."),
    both("state_top_saltenv", str | None, None, "Environment whose top file is the only one used."),
    both("test", bool, False, "Report changes without applying them."),
    both("thorium_interval", float, 0.5, "Pause between two thorium rounds.", "s"),
    both("thorium_roots", dict, {"base": ["/srv/thorium"]}, "Directories of thorium files."),
    both("thorium_top", str, "top.sls", "Name of the thorium top file."),
    both("thoriumenv", str | None, None, "Environment of thorium."),
    minion("top_file", str, "", "Top file applied at start with `startup_states: top`."),
    both(
        "top_file_merging_strategy",
        str,
        "merge",
        "Merge strategy for top files of environments: `merge`, `same` or `merge_all`.",
    ),
    both("use_superseded", list, UNSET, "Functions replaced by their successors already."),
)
