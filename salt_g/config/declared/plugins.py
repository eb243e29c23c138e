"""Which plugins are loaded, and from where."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, each, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    minion("autoload_dynamic_modules", bool, True, "Sync user plugins before states run."),
    both("clean_dynamic_modules", bool, True, "Remove synced plugins that the file server no longer has."),
    both("cython_enable", bool, False, "Compile and load `.pyx` plugins."),
    minion("disable_modules", list, [], "Execution modules that are not loaded."),
    minion("disable_returners", list, [], "Returners that are not loaded."),
    minion("enable_fqdns_grains", bool, False, "Find all names of this host, which asks the name server."),
    each("enable_gpu_grains", bool, (True, False), "Find graphics cards."),
    both("enable_lspci", bool, UNSET, "Ask `lspci` for graphics cards."),
    minion("enable_zip_modules", bool, False, "Load plugins from zip files."),
    both("extmod_blacklist", dict, {}, "Plugins that are not synced, by kind."),
    both("extmod_whitelist", dict, {}, "Plugins that are synced, by kind."),
    minion("grains", dict, {}, "Grains of this minion, given by hand."),
    minion("grains_blacklist", list, [], "Patterns of grains that are left out."),
    minion("grains_cache", bool, False, "Keep grains on disk."),
    minion("grains_cache_expiration", int, 300, "Age at which they are found anew.", "s"),
    minion("grains_deep_merge", bool, False, "Merge mappings of custom grains key by key."),
    minion("grains_dirs", list, [], "Further directories with grain modules."),
    minion("grains_refresh_every", int, 0, "Pause between two looks for changed grains, 0 for none.", "min"),
    both("grains_refresh_pre_exec", bool, UNSET, "Find grains anew before each job."),
    master("min_extra_mods", str, "", "Further Python modules for the minimal tarball."),
    both("module_dirs", list, [], "Further directories with execution modules."),
    minion("module_executors", list, UNSET, "Executors around each function."),
    minion("modules_max_memory", int, -1, "Memory that a plugin may take, -1 for no limit.", "bytes"),
    minion("process_functions", list, [], "Globs of functions that run in a process of their own."),
    minion("providers", dict, {}, "Which plugin serves a virtual name, as `{pkg: aptpkg}`."),
    master("queue_dirs", list, [], "Further directories with queue modules."),
    minion("render_dirs", list, [], "Further directories with renderers."),
    minion("returner_dirs", list, [], "Further directories with returners."),
    master("runner_dirs", list, [], "Further directories with runners."),
    minion("saltpip_allow_find_links", bool, True, "Let pip use `--find-links`."),
    minion("saltpip_disable_pip_version_check", bool, False, "Stop pip from looking for its own updates."),
    minion("saltpip_no_deps", bool, False, "Let pip install without dependencies."),
    minion("saltpip_no_index", bool, False, "Let pip install from given places only."),
    minion("saltpip_use_pythonpath", bool, False, "Let pip see `PYTHONPATH`."),
    minion("states_dirs", list, [], "Further directories with state modules."),
    both("utils_dirs", list, [], "Further directories with utility modules."),
    master("wheel_dirs", list, [], "Further directories with wheel functions."),
    minion("whitelist_modules", list, [], "Execution modules that are loaded; empty for all."),
    minion("whitelist_state_modules", list, [], "State modules that are loaded; empty for all."),
)
