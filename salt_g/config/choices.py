"""Checks of setting values: fixed words, ranges of numbers, ports, and formats of log lines.

A value that cannot work prevents the start; one that stock ignores gives a warning that names the value used
instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.config.registry import KNOWN

#: Highest port number.
_LAST_PORT = 65535
#: Log levels; their numbers are in `salt_g.telemetry.log`.
_LEVELS = (
    *("all", "garbage", "trace", "debug", "profile", "info"),
    *("warning", "warn", "error", "critical", "quiet"),
)
_DIGESTS = (
    *("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s"),
    *("sha3_224", "sha3_256", "sha3_384", "sha3_512"),
)
#: {setting: allowed words}; any other word is refused.
_REFUSED = {
    "hash_type": _DIGESTS,
    "master_type": ("str", "failover", "func", "distributed", "disable"),
    # With an unknown word, users could approve their own plans.
    "plan_approval": ("", "other"),
}
#: {setting: (allowed words, value used instead of any other word)}
_NAMED = {
    "file_client": (("remote", "local", "pillar"), "remote"),
    "ipc_mode": (("ipc", "tcp"), "ipc"),
    "log_level": (_LEVELS, "warning"),
    "log_level_logfile": (_LEVELS, "warning"),
    "startup_states": (("", "highstate", "sls", "top"), "highstate"),
}

#: Maximum pause or time limit (s); more overflows the system's count of nanoseconds.
_LONGEST = 9_000_000_000
#: Maximum number of bytes read from a file at once.
_LARGEST_PIECE = 1 << 30
#: {setting: (minimum, maximum)} of numbers other than ports. Pieces of 0 bytes would leave copies empty,
#: negative pauses would keep a processor busy, and with a negative number of workers nothing would be done.
_RANGES: dict[str, tuple[float, float]] = {
    "keysize": (2048, 8192),
    **dict.fromkeys(("file_buffer_size", "salt_cp_chunk_size"), (1, _LARGEST_PIECE)),
    **dict.fromkeys(("http_connect_timeout", "http_request_timeout", "loop_interval"), (0, _LONGEST)),
    **dict.fromkeys(
        ("git_pillar_update_interval", "gitfs_update_interval", "roots_update_interval"), (0, _LONGEST)
    ),
    "reactor_worker_threads": (0, 10_000),
    # 0 would end each call of a resource type at once.
    "resource_timeout": (1, _LONGEST),
}
#: Numeric fields of log lines, and text fields.
_NUMBERS = frozenset(
    ("created", "levelno", "lineno", "msecs", "process", "relativeCreated", "thread"),
)
_TEXTS = frozenset(
    (
        *("asctime", "exc_info", "filename", "funcName", "levelname", "message", "module", "msg", "name"),
        *("pathname", "processName", "stack_info", "taskName", "threadName"),
        *("bracketname", "bracketlevel", "bracketprocess"),
        *("colorname", "colorlevel", "colorprocess", "colormsg", "jid", "minion_id"),
    )
)
#: {setting with a format of log lines or of parts of log lines: allowed fields}
_FORMATS = {
    **dict.fromkeys(("log_fmt", "log_fmt_console", "log_fmt_logfile"), _NUMBERS | _TEXTS),
    "log_fmt_jid": frozenset(("jid",)),
    "log_fmt_minion_id": frozenset(("minion_id",)),
}
#: The line format that means JSON, which `salt_g.telemetry.log` writes.
_JSON = "json"


def refused(values: Mapping[str, Any], origins: Mapping[str, str]) -> list[str]:
    """Return one sentence for each value that cannot work, with its location."""
    return [
        f"{origins.get(name, 'unknown place')}: {name} must be {wanted}, not {values[name]!r}"
        for name, wanted in _unusable(values)
    ]


def replaced(values: Mapping[str, Any], origins: Mapping[str, str]) -> list[str]:
    """Return one sentence for each unknown word that is replaced by another value, with its location."""
    return [
        f"{origins.get(name, 'unknown place')}: {name}: {values[name]!r} is not one of {_listed(words)}; "
        f"{counts!r} is used"
        for name, (words, counts) in _NAMED.items()
        if isinstance(values.get(name), str) and values[name].lower() not in words
    ]


def _unusable(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (setting, required value) of values that cannot work; `sdb://` addresses are resolved later."""
    for name, value in values.items():
        if isinstance(value, str) and value.startswith("sdb://"):
            continue
        if name in _REFUSED and isinstance(value, str) and value.lower() not in _REFUSED[name]:
            yield name, "one of " + _listed(_REFUSED[name])
        elif name in _RANGES and value is not None and not _is_within(_RANGES[name], float(value)):
            yield name, "{} to {}".format(*_RANGES[name])
        elif name in _FORMATS and isinstance(value, str) and (problem := _format_problem(name, value)):
            yield name, f"a format of log lines ({problem})"
        elif isinstance(name, str) and name.endswith("_port") and _is_no_port(name, value):
            yield name, f"a port, 1 to {_LAST_PORT}"


def _is_within(limits: tuple[float, float], value: float) -> bool:
    return limits[0] <= value <= limits[1]


def _is_no_port(name: str, value: Any) -> bool:
    """Return whether the value of a declared setting cannot be a port; 0 means any free port, or none."""
    if name not in KNOWN or value is None:
        return False
    try:
        return not 0 <= int(value) <= _LAST_PORT
    except (TypeError, ValueError):
        return bool(value)


def _format_problem(name: str, form: str) -> str:
    """Return the error in a format of log lines, or of a field in them; '' if it is valid."""
    fields = _AskedFields()
    try:
        form % fields
    except (TypeError, ValueError) as exc:
        return str(exc)
    unknown = sorted(set(fields) - _FORMATS[name])
    if unknown:
        return f"there is no field {unknown[0]!r}"
    # An empty format means the default. A part of a line may be fixed text.
    if fields or form in ("", _JSON) or len(_FORMATS[name]) == 1:
        return ""
    return f"it has no field such as '%(message)s'; {_JSON!r} in lower case is one JSON object per line"


class _AskedFields(dict[str, "int | str"]):
    """Mapping that contains every field, and records the requested fields."""

    def __missing__(self, name: str) -> int | str:
        self[name] = 0 if name in _NUMBERS else ""
        return self[name]


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(word for word in words if word)
