"""Settings of one program: read, checked, completed.

Entry point of the package; it calls the other files in order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import salt_g.config.files as files
import salt_g.config.minion_id as minion_id
from salt_g.config.check import (
    check,
    kinds,
    malformed_logins,
    malformed_roots,
    missing_features,
    near_names,
)
from salt_g.config.choices import refused, replaced
from salt_g.config.derive import derive
from salt_g.config.registry import KNOWN, defaults
from salt_g.errors import ConfigError

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Origins other than files.
DEFAULT = "default"
DERIVED = "derived"
COMMAND_LINE = "command line"
#: Prefix of a value that is looked up in a secret store.
ADDRESS = "sdb://"


class Settings(NamedTuple):
    """Settings of one program, fixed at its start.

    `opts` are the effective values as plugins see them; `origins` has the origin of each name
    ("default", "FILE:LINE", "command line", "derived"); `warnings` are sentences for the user; `files` are
    the paths that were read.
    """

    role: str
    opts: OptsDraft
    origins: dict[str, str]
    warnings: list[str]
    files: tuple[str, ...] = ()

    def log_files(self) -> None:
        """Log the paths of the files that were read (debug level).

        This is separate from reading, because the log is set up with the settings.
        """
        import logging  # Imported lazily: some programs have no log.

        for path in self.files:
            logging.getLogger(__name__).debug("Reading configuration from %s", path)


class SettingsPlugins(Protocol):
    """Interface to plugins that provide settings, see `cli/settings_plugins.py`."""

    def id_of(self, opts: Mapping[str, Any]) -> str:
        """Return the result of the function in the setting `id_function`."""

    def look_up(self, uri: str, opts: Mapping[str, Any]) -> Any:
        """Return the value of an `sdb://` address, or the address itself if no plugin resolves it."""


def load(
    role: str,
    directory: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    *,
    asks_for_id: bool = True,
    plugins: SettingsPlugins | None = None,
) -> Settings:
    """Return the settings of a role (`minion` or `master`).

    `directory` is the value of `-c`; `overrides` are settings from the command line. Without `asks_for_id`,
    an unset id is the cached one or the host name, because clients need no id and a name server can be slow.
    Raises ConfigError with all problems of all files at once.
    """
    opts = defaults(role)
    path = os.path.join(files.find_directory(directory), role)
    read = files.read_all(path, opts["default_include"])
    if problem := files.directory_problem(directory):
        read.warnings.append(problem)
    given = _with_texts(_without_blanks(read.values))
    given.update(overrides or {})
    read.origins.update(dict.fromkeys(overrides or (), COMMAND_LINE))
    problems = read.problems + (check(given, read.origins) or refused(given, read.origins))
    if not problems and role == "master":
        problems = _one_port_for_two({**opts, **given}, read.origins)
    if problems:
        raise ConfigError(problems)
    opts["conf_file"] = path
    # Templates use this name to find files next to the configuration.
    opts["config_dir"] = os.path.dirname(path)
    opts.update(given)
    before = dict(opts)
    name_id = _id_namer(role, opts, set(given), plugins)
    derive(role, opts, set(given), asks_for_id=asks_for_id, name_id=name_id)
    if plugins is not None:
        _look_up(opts, given, read.origins, plugins)
    notes = malformed_roots(given, read.origins) + malformed_logins(given, read.origins)
    notes += missing_features(given, read.origins) + replaced(given, read.origins)
    warnings = read.warnings + notes + _typing_errors(read.values, read.origins)
    return Settings(role, opts, _origins(before, opts, read.origins), warnings, tuple(read.files))


def _with_texts(values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert numbers to text where a list or a text is expected, such as the branch `2024`."""
    texts = {
        name: str(value)
        for name, value in values.items()
        if type(value) in (int, float) and name in KNOWN and set(kinds(KNOWN[name])) == {list, str}
    }
    return {**values, **texts}


def remember_id(settings: Settings) -> None:
    """Write a minion's generated id next to the config file, so that later starts need no name server.

    An id set in a config is not written; an unwritable directory is ignored.
    """
    opts = settings.opts
    if settings.role != "minion" or settings.origins["id"] != DERIVED or not opts["minion_id_caching"]:
        return
    path = os.path.join(os.path.dirname(opts["conf_file"]), minion_id.FILE_NAME)
    if os.path.exists(path):
        return
    # Imported lazily: only the first start writes.
    from salt_g.process import disk

    try:
        disk.write_whole(path, opts["id"], mode=0o644)
    except OSError:
        return


def _id_namer(
    role: str, opts: Mapping[str, Any], given: set[str], plugins: SettingsPlugins | None
) -> Callable[[], str] | None:
    """Return a function that calls `id_function`, or None if that is not set.

    `id_function` receives complete settings, with the host name as the id.
    """
    if plugins is None or not opts.get("id_function"):
        return None
    provisional = {**opts, "id": os.uname().nodename}

    def name_id() -> str:
        derive(role, provisional, given)
        return plugins.id_of(provisional)

    return name_id


def _look_up(
    opts: OptsDraft, given: Mapping[str, Any], origins: Mapping[str, str], plugins: SettingsPlugins
) -> None:
    """Replace `sdb://` addresses by their values; raise ConfigError for missing values and wrong types."""
    found, problems = {}, []
    for name in filter(lambda name: _has_address(given[name]), given):
        try:
            found[name] = _resolved(opts[name], opts, plugins)
        except ConfigError as exc:
            place = origins.get(name, "unknown place")
            problems += [f"{place}: {name}: {problem}" for problem in exc.problems]
    problems = problems or check(found, origins) or refused(found, origins)
    if problems:
        raise ConfigError(problems)
    opts.update(found)


def _has_address(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_address, value.values()))
    if isinstance(value, list):
        return any(map(_has_address, value))
    return isinstance(value, str) and value.startswith(ADDRESS)


def _resolved(value: Any, opts: Mapping[str, Any], plugins: SettingsPlugins) -> Any:
    if isinstance(value, Mapping):
        return {name: _resolved(one, opts, plugins) for name, one in value.items()}
    if isinstance(value, list):
        return [_resolved(one, opts, plugins) for one in value]
    return plugins.look_up(value, opts) if _has_address(value) else value


def _one_port_for_two(opts: Mapping[str, Any], origins: Mapping[str, str]) -> list[str]:
    """Return the problem of a master whose two ports are equal; both can be 0, which is any free port."""
    port = opts["ret_port"]
    if port != opts["publish_port"] or not port:
        return []
    place = origins.get("publish_port") or origins.get("ret_port")
    return [f"{place}: publish_port and ret_port are both {port}: give each its own port"]


def _without_blanks(values: Mapping[str, Any]) -> dict[str, Any]:
    """Remove names without a value (`nodegroups:`), unless null is meaningful there."""
    return {name: value for name, value in values.items() if value is not None or _takes_null(name)}


def _takes_null(name: str) -> bool:
    setting = KNOWN.get(name)
    return setting is None or type(None) in getattr(setting.kind, "__args__", ())


def _origins(before: Mapping[str, Any], after: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    origins = {}
    for name, value in after.items():
        if name in given:
            origins[name] = given[name]
        else:
            origins[name] = DEFAULT if name in before and before[name] == value else DERIVED
    origins["conf_file"] = origins["config_dir"] = DERIVED
    return origins


def _typing_errors(read: Mapping[str, Any], origins: Mapping[str, str]) -> list[str]:
    return [
        f"{origins[name]}: unknown setting {name!r}; nearest: {nearest!r}"
        for name, nearest in near_names(list(read)).items()
    ]
