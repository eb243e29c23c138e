"""Settings of plugins: selection and sources."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, each, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    minion("autoload_dynamic_modules", bool, True, "Sync user plugins before states run."),
    both("clean_dynamic_modules", bool, True, "Remove synced plugins that the file server no longer has."),
    both("cython_enable", bool, False, "Compile and load `.pyx` plugins."),
    minion("disable_modules", list, [], "Execution modules not to load."),
    minion("disable_returners", list, [], "Returners not to load."),
    minion(
        "enable_fqdns_grains", bool, False, "Look up all names of this host, which queries the name server."
    ),
    each("enable_gpu_grains", bool, (True, False), "Detect graphics cards."),
    both("enable_lspci", bool, UNSET, "Detect graphics cards with `lspci`."),
    minion("enable_zip_modules", bool, False, "Load plugins from zip files."),
    master("ext_processes", list, UNSET, "Additional processes of the master, as names of Python classes."),
    both("extmod_blacklist", dict, {}, "Plugins not to sync, by kind."),
    both("extmod_whitelist", dict, {}, "Plugins to sync, by kind."),
    minion("grains", dict, {}, "Static grains of this minion."),
    minion("grains_blacklist", list, [], "Patterns of grains to omit."),
    minion("grains_cache", bool, False, "Cache grains on disk."),
    minion("grains_cache_expiration", int, 300, "Age at which cached grains are collected again.", "s"),
    minion("grains_deep_merge", bool, False, "Merge mappings of custom grains key by key."),
    minion("grains_dirs", list, [], "Additional directories with grain modules."),
    minion("grains_refresh_every", int, 0, "Interval of checks for changed grains, 0 for none.", "min"),
    both("grains_refresh_pre_exec", bool, UNSET, "Collect grains again before each job."),
    both(
        "lazy_loader_strict_matching",
        bool,
        UNSET,
        "Look for a plugin only in files with its name or virtual name.",
    ),
    master("min_extra_mods", str, "", "Additional Python modules for the minimal tarball."),
    both("module_dirs", list, [], "Additional directories with execution modules."),
    minion("module_executors", list, UNSET, "Executors around each function."),
    minion("modules_max_memory", int, -1, "Memory limit of a plugin, -1 for none.", "bytes"),
    minion("process_functions", list, [], "Globs of functions that run in a separate process."),
    minion("providers", dict, {}, "Plugin that provides a virtual name, such as `{pkg: aptpkg}`."),
    master("queue_dirs", list, [], "Additional directories with queue modules."),
    minion("render_dirs", list, [], "Additional directories with renderers."),
    minion("returner_dirs", list, [], "Additional directories with returners."),
    master("runner_dirs", list, [], "Additional directories with runners."),
    minion("saltpip_allow_find_links", bool, True, "Let pip use `--find-links`."),
    minion("saltpip_disable_pip_version_check", bool, False, "Stop pip from checking for its own updates."),
    minion("saltpip_no_deps", bool, False, "Let pip install without dependencies."),
    minion("saltpip_no_index", bool, False, "Let pip install only from given locations."),
    minion("saltpip_use_pythonpath", bool, False, "Let pip see `PYTHONPATH`."),
    minion("states_dirs", list, [], "Additional directories with state modules."),
    both("utils_dirs", list, [], "Additional directories with utility modules."),
    master("wheel_dirs", list, [], "Additional directories with wheel functions."),
    minion("whitelist_modules", list, [], "Execution modules for jobs and templates; empty for all."),
    minion("whitelist_state_modules", list, [], "State modules to load; empty for all."),
)
