"""Which values of compiled pillar are secrets: the paths of `pillar_secrets`, and values noted on the way.

Noted are what `|secret` names in templates and, with `pillar_secrets`, what gpg decrypts and sdb returns.
Shapes: a path is `db:*:password`, where `*`, `?` and `[...]` stand within one level and an index for a list
item; it covers all below it. Out: {secret: "db:prod:password"}.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from salt_g.data.nested import DELIMITER
from salt_g.process import secret_hiding
from salt_g.process.known_secrets import leaves_of
from salt_g.process.secret_hiding import hide

#: Beginning of a word of a command line that gives pillar.
_WORD = "pillar="
#: Words of a path that fits.
_Path = tuple[str, ...]


def secrets_in(pillar: Mapping[str, Any], patterns: Any, noted: Collection[str] = ()) -> dict[str, str]:
    """Return {secret: path} of the values at `patterns` and of those that hold a `noted` text."""
    wanted = patterns_of(patterns)
    found: dict[str, str] = {}
    for path, leaf in _leaves(pillar, ()):
        label = DELIMITER.join(path)
        if any(_covers(pattern, path) for pattern in wanted):
            found.update((text, label) for text in leaves_of(leaf))
        elif noted and isinstance(leaf, str):
            for value in noted:
                if value in leaf:
                    found.setdefault(value, label)
    return found


def hidden(pillar: Any, patterns: Any) -> Any:
    """Return pillar with `<secret:PATH>` in place of the values at `patterns`, and of known secrets."""
    wanted = patterns_of(patterns)
    return hide(_hidden(pillar, (), wanted) if wanted else pillar)


def without_secrets(arguments: Any, patterns: Any) -> Any:
    """Return the arguments of a job or call, secrets in their `pillar` replaced and known from then on.

    Shapes: as in a job, a list whose items may be {__kwarg__: True, pillar: {...}} or "pillar=...", of
    several functions a list of lists; or the keywords of a call.
    """
    if isinstance(arguments, list):
        return [without_secrets(one, patterns) for one in arguments]
    if isinstance(arguments, str):
        # Its values are not told apart here.
        return f"{_WORD}<secret:pillar>" if arguments.startswith(_WORD) else hide(arguments)
    if not isinstance(arguments, Mapping) or not arguments.get("pillar"):
        return hide(arguments)
    pillar = arguments["pillar"]
    if not isinstance(pillar, Mapping):
        return hide({**arguments, "pillar": "<secret:pillar>"})
    secret_hiding.add(secrets_in(pillar, patterns))
    return hide({**arguments, "pillar": hidden(pillar, patterns)})


def patterns_of(setting: Any) -> list[_Path]:
    """Return the paths of the setting `pillar_secrets`."""
    paths = setting if isinstance(setting, (list, tuple)) else [setting] if setting else []
    return [tuple(str(path).split(DELIMITER)) for path in paths]


def _leaves(value: Any, path: _Path) -> Iterator[tuple[_Path, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*path, str(index)))
    else:
        yield path, value


def _hidden(value: Any, path: _Path, wanted: Sequence[_Path]) -> Any:
    if isinstance(value, Mapping):
        return {key: _hidden(inner, (*path, str(key)), wanted) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_hidden(inner, (*path, str(index)), wanted) for index, inner in enumerate(value)]
    if value is not None and any(_covers(pattern, path) for pattern in wanted):
        return f"<secret:{DELIMITER.join(path)}>"
    return value


def _covers(pattern: _Path, path: _Path) -> bool:
    """Return whether a path is at or below a pattern."""
    return len(pattern) <= len(path) and all(
        fnmatch.fnmatchcase(part, wanted) for part, wanted in zip(path, pattern, strict=False)
    )
