"""Checks of setting values against their declarations.

All problems of all files are collected, so that they can be reported at once.
Source: accepted values follow stock's `_validate_opts`; what stock warns about is an error here, because a
daemon must not run with half of its config.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType
from typing import Any

from salt_g.config.ignored_settings import PARTIAL, UNSUPPORTED, WITHOUT_EFFECT
from salt_g.config.registry import KNOWN
from salt_g.config.setting import Setting

#: {type: name in messages}
_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "a mapping",
    NoneType: "null",
}
#: Minimum similarity of a suggested name, 0 to 1.
_NEAR = 0.86
#: Minimum length of a name that gets a suggestion; short names are too similar to each other.
_SHORTEST = 5

#: Text settings from which others are derived; they must not be numbers or booleans, which YAML makes of
#: unquoted words.
_TEXT_ONLY = frozenset(
    (
        *(
            "append_domain",
            "autoreject_file",
            "autosign_file",
            "autosign_grains_dir",
            "cachedir",
            "default_include",
        ),
        *(
            "extension_modules",
            "hash_type",
            "key_logfile",
            "log_dir",
            "log_file",
            "pidfile",
            "pki_dir",
            "root_dir",
        ),
        *("sock_dir", "sqlite_queue_dir", "ssh_config_file", "ssh_log_file", "syndic_dir", "token_dir"),
    )
)
#: Settings with lists of names, or patterns of names.
_LISTS_OF_NAMES = (
    *("append_minionid_config_dirs", "auth_events_autosign_grains", "autosign_grains"),
    *("decrypt_pillar_renderers", "disable_modules", "disable_returners", "disabled_requisites"),
    *("event_return", "event_return_blacklist", "event_return_whitelist", "fileserver_backend"),
    *("git_pillar_ref_types", "git_pillar_refspecs", "gitfs_ref_types", "gitfs_refspecs"),
    *("grains_blacklist", "lock_exempt", "module_executors", "multi_returner", "netapi_enable_clients"),
    *("on_demand_ext_pillar", "pass_to_ext_pillars", "pillar_secrets", "process_functions"),
    *("renderer_blacklist", "renderer_whitelist", "return", "schedule_returner", "ssh_options"),
    *("start_event_grains", "use_superseded", "whitelist_modules", "whitelist_state_modules"),
)
#: Settings with lists of texts that may look like numbers: a branch `2026`, a minion `7`. `derive` makes them
#: texts.
LISTS_OF_TEXTS = (
    *("env_order", "file_ignore_glob", "file_ignore_regex", "gitfs_saltenv_blacklist"),
    *("gitfs_saltenv_whitelist", "minion_restart_command", "minionfs_blacklist", "minionfs_whitelist"),
    *("no_proxy", "sls_list"),
)
#: Settings with lists of directories, besides those whose names end with `_dirs`.
_LISTS_OF_DIRECTORIES = ("fileserver_open_roots", "rosters")


def check(values: Mapping[str, Any], origins: Mapping[str, str]) -> list[str]:
    """Return one sentence for each value of a wrong type, with its location and the expected type."""
    return [
        f"{origins.get(name, 'unknown place')}: {name} must be {expected(KNOWN[name])}, not {value!r}"
        for name, value in values.items()
        if name in KNOWN and not fits(value, KNOWN[name])
    ] + [
        f"{origins.get(name, 'unknown place')}: {name} must be {wanted}, not {value!r}"
        for name, wanted, value in _misread(values)
    ]


def _misread(values: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield (name, expected type, value) of values that have an allowed type but cannot be used."""
    for name in _TEXT_ONLY.intersection(values):
        if isinstance(values[name], (bool, int, float, bytes)) or "\0" in str(values[name]):
            yield name, "text; put it in quotes", values[name]
    for name, value in values.items():
        if isinstance(value, list) and not _has_fitting_items(name, value):
            yield name, f"a list of {_items_of(name)}", value


def _has_fitting_items(name: str, value: list[Any]) -> bool:
    items = _items_of(name)
    if items == "texts":
        return all(_fits_type(item, str) for item in value)
    if items == "mappings":
        # A mapping of a secret store is looked up later, and checked then.
        return all(isinstance(item, dict) or str(item).startswith("sdb://") for item in value)
    return not items or all(isinstance(item, str) for item in value)


def _items_of(name: str) -> str:
    """Return what the list of a setting holds, in a word; '' if it may hold anything."""
    if name in _LISTS_OF_NAMES:
        return "names"
    if name in LISTS_OF_TEXTS:
        return "texts"
    if name == "ext_pillar":
        return "mappings"
    is_directories = name in _LISTS_OF_DIRECTORIES or (name in KNOWN and name.endswith("_dirs"))
    return "directories" if is_directories else ""


def malformed_roots(values: Mapping[str, Any], origins: Mapping[str, str]) -> list[str]:
    """Return one sentence for each environment whose value is not a list of texts."""
    return [
        f"{origins.get(name, 'unknown place')}: {name}: "
        f"environment {env!r} needs a list of directories, not {paths!r}"
        for name in ("file_roots", "pillar_roots")
        if isinstance(values.get(name), dict)
        for env, paths in values[name].items()
        if not isinstance(paths, (list, NoneType)) or not all(isinstance(path, str) for path in paths or ())
    ]


def malformed_logins(values: Mapping[str, Any], origins: Mapping[str, str]) -> list[str]:
    """Return one sentence for each login module that admits nobody because its users are not a mapping."""
    modules = values.get("external_auth")
    return [
        f"{origins.get('external_auth', 'unknown place')}: external_auth: {module} needs a mapping of users "
        f"to lists of permissions ({{fred: ['test.*']}}), not {users!r}; nobody can log in with it"
        for module, users in (modules.items() if isinstance(modules, dict) else ())
        if not isinstance(users, (dict, NoneType))
    ]


def missing_features(values: Mapping[str, Any], origins: Mapping[str, str]) -> list[str]:
    """Return one sentence for each value that requests a feature salt-g does not have."""
    return (
        [
            f"{origins.get(name, 'unknown place')}: {name}: {values[name]!r} has no effect: {why}"
            for why, names in UNSUPPORTED.items()
            for name in names
            if name in values and values[name] not in (KNOWN[name].minion, KNOWN[name].master, None)
        ]
        + [
            f"{origins.get(name, 'unknown place')}: {name}: {values[name]!r} has little or no effect: {why}"
            for name, (honoured, why) in PARTIAL.items()
            if name in values and values[name] not in honoured
        ]
        + [
            f"{origins.get(name, 'unknown place')}: {name}: {value!r} has no effect: {why}"
            for name, reasons in WITHOUT_EFFECT.items()
            for value, why in reasons.items()
            if values.get(name) == value
        ]
    )


def fits(value: Any, setting: Setting) -> bool:
    """Return whether a value has a type of the setting; `sdb://` addresses, resolved later, always do."""
    if isinstance(value, str) and value.startswith("sdb://"):
        return True
    return any(_fits_type(value, kind) for kind in kinds(setting))


def kinds(setting: Setting) -> tuple[type, ...]:
    """Return the types of a setting."""
    return getattr(setting.kind, "__args__", None) or (setting.kind,)  # type: ignore[return-value]


def expected(setting: Setting) -> str:
    """Return the types of a setting in words."""
    words = " or ".join(_WORDS[kind] for kind in kinds(setting))
    return f"{words} ({setting.unit})" if setting.unit else words


def near_names(names: list[str]) -> dict[str, str]:
    """Return {unknown name: known name} for probable typing errors.

    Names with a dot (`mysql.host`) or a leading underscore belong to users' modules.
    """
    suspects = [name for name in names if name not in KNOWN and _may_be_mistyped(name)]
    if not suspects:
        return {}
    # Imported lazily: most configs have no unknown names.
    import difflib

    found = {name: difflib.get_close_matches(name, _candidates(name), 1, _NEAR) for name in suspects}
    return {name: nearest[0] for name, nearest in found.items() if nearest}


def _may_be_mistyped(name: Any) -> bool:
    return isinstance(name, str) and len(name) >= _SHORTEST and "." not in name and not name.startswith("_")


def _candidates(name: str) -> list[str]:
    return [
        known
        for known in KNOWN
        if abs(len(known) - len(name)) <= 2 and (known[0] == name[0] or known[-2:] == name[-2:])
    ]


def _fits_type(value: Any, kind: type) -> bool:
    if kind is bool:
        return isinstance(value, bool)
    if kind in (int, float):
        return _is_number(value, kind)
    if kind is str:
        # YAML converts unquoted words to numbers, dates and booleans; these are accepted as they are.
        return not isinstance(value, (list, tuple, dict, NoneType))
    if kind is dict:
        return isinstance(value, dict) or value == []
    return isinstance(value, kind)


def _is_number(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return False
    try:
        kind(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return kind is float or not isinstance(value, float)
