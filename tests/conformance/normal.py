"""Removal of what differs from run to run: times, process ids, temporary paths, tracebacks.

Shapes: a result is what JSON holds; `places` is a list of (name, path), and a path becomes `{name}`;
`subs` is a list of (regular expression, replacement) of the case itself.
"""

import json
import re

#: Keys of a result whose values say nothing about behaviour.
VOLATILE = {"start_time", "duration", "pid", "jid", "__jid__", "_stamp", "__pub_pid", "__pub_jid"}

_TRACEBACK = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t]+.*\n?|\n(?=[ \t]))*")
_CHAINED = re.compile(
    r"\{TRACEBACK\}\n(?:[^\n]*\n)+?\n(?:During handling of the above exception, another"
    r" exception occurred|The above exception was the direct cause of the following"
    r" exception):\n\n(?=\{TRACEBACK\})"
)
_EXCEPTION_MODULE = re.compile(r"(\{TRACEBACK\}\n)(?:[A-Za-z_]\w*\.)+([A-Z]\w*)")
_FAILED_REQUISITES = re.compile(r"(One or more requisite failed: )([^\n\"]+)")
_LOG_LINE = re.compile(r"^\[(?:TRACE|DEBUG|PROFILE|INFO|WARNING|ERROR|CRITICAL|QUIET)\s*\]")
_PYTHON_WARNING = re.compile(r"(?m)^[^\n]*: \w*Warning: [^\n]*\n(?:[ \t]+[^\n]*\n)?")

#: What the human readable outputters print about time, and what stands in its place.
_PRINTED_TIMES = (
    (r"(?m)^(\s*Started: ).*$", r"\1{TIME}"),
    (r"(?m)^(\s*Duration: ).*$", r"\1{DURATION}"),
    (r"(?m)^Total run time:.*$", "Total run time: {DURATION}"),
    (r"Started: [0-9:.]+ - Duration: [0-9.]+ ms", "Started: {TIME} - Duration: {DURATION}"),
    (r"(?m)^[0-9:.]{8,} \[ *[0-9.]+ ms\]", "{TIME} [{DURATION}]"),
    (r"(?m)^(\s*pid:\n\s+)[0-9]+$", r"\1{PID}"),
)


def normal_text(text, places, subs):
    """Replace paths, tracebacks, addresses and process ids in `text` by their names."""
    for name, path in places:
        text = text.replace(path, "{" + name + "}")
    text = _without_chains(_TRACEBACK.sub("{TRACEBACK}\n", text))
    text = _EXCEPTION_MODULE.sub(r"\1\2", text)
    text = _FAILED_REQUISITES.sub(_sorted_requisites, text)
    text = re.sub(r"0x[0-9a-f]{8,}", "{ADDR}", text)
    text = re.sub(r'"pid": [0-9]+', '"pid": {PID}', text)
    for pattern, replacement in subs:
        text = re.sub(pattern, replacement, text)
    return text


def _without_chains(text):
    """Keep the last of several chained tracebacks."""
    while (shorter := _CHAINED.sub("", text)) != text:
        text = shorter
    return text


def _sorted_requisites(match):
    return match.group(1) + ", ".join(sorted(match.group(2).split(", ")))


def normal(value, places, subs, drop):
    """Normalize every text of `value`, keys included; leave out volatile keys and those of `drop`."""
    if isinstance(value, dict):
        return {
            normal_text(key, places, subs): normal(item, places, subs, drop)
            for key, item in value.items()
            if key not in drop and (key not in VOLATILE or isinstance(item, dict | list))
        }
    if isinstance(value, list):
        return [normal(item, places, subs, drop) for item in value]
    if isinstance(value, str):
        return normal_text(value, places, subs)
    return value


def normal_printed(text):
    """Replace the times and process ids in the output of a human-readable outputter."""
    for pattern, replacement in _PRINTED_TIMES:
        text = re.sub(pattern, replacement, text)
    return text


def normal_errors(text, places, subs):
    """Normalize the text of stderr; drop log lines and Python's warnings."""
    lines = [line for line in _PYTHON_WARNING.sub("", text).splitlines() if not _LOG_LINE.match(line)]
    return normal_text("\n".join(lines), places, subs)


def sort_loosely(value):
    """Sort lists and the lines of texts, for cases whose order is the file system's."""
    if isinstance(value, dict):
        return {key: sort_loosely(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((sort_loosely(item) for item in value), key=_as_key)
    if isinstance(value, str) and "\n" in value and not value.startswith("---"):
        return "\n".join(sorted(value.split("\n")))
    return value


def shape(value):
    """Return the types of `value` in place of its texts and numbers; a list keeps one of each shape."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        kinds = sorted({_as_key(shape(item)) for item in value})
        return ["list", [json.loads(kind) for kind in kinds]]
    return {bool: "bool", int: "int", float: "float", str: "str", type(None): "null"}[type(value)]


def _as_key(value):
    return json.dumps(value, sort_keys=True)


def pick(value, path):
    """Follow the colon-separated path `path` into `value`; `<absent>` where it ends early."""
    for part in path.split(":"):
        if isinstance(value, dict):
            value = value.get(part, "<absent>")
        elif isinstance(value, list) and part.lstrip("-").isdigit():
            value = value[int(part)] if -len(value) <= int(part) < len(value) else "<absent>"
        else:
            return "<absent>"
    return value
