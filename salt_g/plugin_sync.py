"""Synchronization of users' plugins from the file server to the plugin directories.

Shapes: a form is the name of a folder below `extension_modules` (`modules`, `states`, ...); its
plugins are below `_<form>` in each file environment. For duplicate names, later environments take precedence.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.errors import InvocationError
from salt_g.formats import salturl
from salt_g.process.disk import make_private_directory, write_whole

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess

log = logging.getLogger(__name__)

#: {form of plugins that nothing here loads: what to do instead}; these plugins are not copied.
UNLOADED = {
    "clouds": "salt-g creates no machines; run stock's salt-cloud",
    "queues": "write a runner, or an engine with a queue of its own",
    "thorium": "use the reactor",
    "tokens": "tokens are in the master's own store",
}
#: Maximum number of unloaded plugins named in a warning.
_SHOWN = 5
#: Plugins to include or exclude: {form: [name, ...]}.
Limits = Mapping[str, Any] | None


def sync_form(
    form: str,
    saltenvs: Iterable[str],
    *,
    files: FileAccess,
    top: str,
    whitelist: Limits = None,
    blacklist: Limits = None,
    cleans: bool = True,
) -> list[str]:
    """Synchronize the folder `top` with the environments' plugins of a form; return the plugins written.

    Without `cleans`, plugins missing from all environments are kept. The returned names are dotted and begin
    with the form: `modules.mymod`. Plugins of a form in UNLOADED are named in a warning.
    """
    if form in UNLOADED:
        _report_unloaded(form, saltenvs, files)
        return []
    wanted = _files_to_sync(form, saltenvs, files)
    wanted = {name: path for name, path in wanted.items() if _is_allowed(name, form, whitelist, blacklist)}
    if cleans:
        _remove_others(top, set(wanted))
    written = [name for name, path in wanted.items() if _copy(path, os.path.join(top, name))]
    return sorted(f"{form}.{os.path.splitext(name)[0].replace('/', '.')}" for name in written)


def unloaded_plugins(form: str, saltenvs: Iterable[str], files: FileAccess) -> str:
    """Return a sentence that names the plugins of an unloaded form and what to do, or '' without any."""
    prefix = f"_{form}/"
    found = {
        name
        for saltenv in saltenvs
        for name in files.list_files(saltenv, prefix)
        if name.startswith(prefix) and name.endswith(".py")
    }
    if form not in UNLOADED or not found:
        return ""
    shown = sorted(found)[:_SHOWN] + (["..."] if len(found) > _SHOWN else [])
    return f"salt-g does not load plugins of the kind {form} ({', '.join(shown)}): {UNLOADED[form]}"


def _report_unloaded(form: str, saltenvs: Iterable[str], files: FileAccess) -> None:
    sentence = unloaded_plugins(form, saltenvs, files)
    if sentence:
        log.warning("%s", sentence)


def _files_to_sync(form: str, saltenvs: Iterable[str], files: FileAccess) -> dict[str, str]:
    """Return {path below the form's folder: cached path} of all environments."""
    prefix = f"_{form}/"
    wanted = {}
    for saltenv in saltenvs:
        for name in files.list_files(saltenv, prefix):
            if "__pycache__" not in name and name.startswith(prefix) and not name.endswith(".pyc"):
                wanted[name.removeprefix(prefix)] = files.cache_file(salturl.create(name), saltenv)
    return {name: path for name, path in wanted.items() if path}


def limits_of(form: str, given: Any, setting: Any) -> Limits:
    """Return {form: names} from the argument, which can be comma-separated text, or from the setting.

    Raise InvocationError for an argument of another type.
    """
    if given is None:
        return setting if isinstance(setting, Mapping) else None
    if isinstance(given, str):
        return {form: given.split(",")}
    if not isinstance(given, Mapping):
        raise InvocationError(f"a list of plugins must be text or {{form: [name, ...]}}, not {given!r}")
    return given


def _is_allowed(name: str, form: str, whitelist: Limits, blacklist: Limits) -> bool:
    """Return whether a plugin passes both lists; an empty whitelist allows none."""
    plugin = os.path.splitext(name)[0].replace("/", ".")
    if whitelist is not None and form in whitelist and plugin not in _names(whitelist[form]):
        return False
    return blacklist is None or plugin not in _names(blacklist.get(form))


def _names(value: Any) -> list[str]:
    return value.split(",") if isinstance(value, str) else list(value or ())


def _copy(source: str, dest: str) -> bool:
    """Write a plugin if it differs from the existing one; return whether it was written."""
    with open(source, "rb") as file:
        content = file.read()
    if os.path.isfile(dest):
        with open(dest, "rb") as file:
            if file.read() == content:
                return False
    make_private_directory(os.path.dirname(dest))
    write_whole(dest, content)
    return True


def _remove_others(top: str, wanted: set[str]) -> None:
    """Remove plugins missing from all environments, and folders that become empty."""
    for parent, directories, names in os.walk(top, topdown=False):
        for name in names:
            path = os.path.join(parent, name)
            if os.path.relpath(path, top) not in wanted:
                log.info("removing %s: no file environment contains it any more", path)
                os.unlink(path)
        for name in directories:
            path = os.path.join(parent, name)
            if name == "__pycache__" or not os.listdir(path):
                shutil.rmtree(path, ignore_errors=True)
    if os.path.isdir(top) and not os.listdir(top):
        os.rmdir(top)
