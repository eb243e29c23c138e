"""Kinds of plugins, with their rooms and the directories for user plugins.

The search path, the sync functions and the docs all use this declaration.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """One kind of plugin.

    `room` is the package of built-in plugins (None: user plugins only); `dirs_option` the setting with
    further directories; `folder` the sub-folder of `extension_modules` into which users' plugins are synced;
    `source` their folder on the file server.
    """

    name: str
    room: str | None
    dirs_option: str
    folder: str
    source: str


def _kind(name: str, room: str | None, dirs_option: str, folder: str = "", source: str = "") -> Kind:
    return Kind(name, room, dirs_option, folder or name, source or f"_{folder or name}")


#: Kinds of plugins by name.
KINDS = {
    kind.name: kind
    for kind in (
        _kind("modules", "salt_g.modules", "module_dirs"),
        _kind("states", "salt_g.states", "states_dirs"),
        _kind("grains", "salt_g.grains", "grains_dirs"),
        _kind("runners", "salt_g.runners", "runner_dirs"),
        _kind("wheel", "salt_g.wheel", "wheel_dirs"),
        _kind("renderers", None, "render_dirs"),
        _kind("outputters", None, "outputter_dirs", "output", "_output"),
        _kind("returners", "salt_g.returners", "returner_dirs"),
        _kind("utils", None, "utils_dirs"),
        _kind("pillar", None, "pillar_dirs"),
        _kind("matchers", None, "matchers_dirs"),
        _kind("executors", "salt_g.executors", "executor_dirs"),
        _kind("serializers", None, "serializers_dirs"),
        _kind("sdb", "salt_g.sdb", "sdb_dirs"),
        _kind("beacons", "salt_g.beacons", "beacons_dirs"),
        _kind("engines", "salt_g.engines", "engines_dirs"),
        _kind("proxy", None, "proxy_dirs"),
        _kind("tops", "salt_g.tops", "top_dirs"),
        _kind("auth", None, "auth_dirs"),
        _kind("fileserver", None, "fileserver_dirs"),
        _kind("roster", "salt_g.rosters", "roster_dirs"),
        _kind("wrapper", None, "wrapper_dirs"),
        _kind("cache", "salt_g.cache_drivers", "cache_dirs"),
        _kind("log_handlers", None, "log_handlers_dirs"),
    )
}
