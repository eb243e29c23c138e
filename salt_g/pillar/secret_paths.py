"""Secret values of compiled pillar: at the paths of `pillar_secrets`, or noted during compilation.

The filter `|secret` of templates notes values; with `pillar_secrets`, values that gpg decrypts or sdb returns
are noted too.
Shapes: a path is `db:*:password`, where `*`, `?` and `[...]` match within one level and an index selects a
list item; a path covers all values below it. Results are {secret: path}, such as {"x": "db:prod:password"}.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from salt_g.data.nested import DELIMITER
from salt_g.process import secret_hiding
from salt_g.process.known_secrets import leaves_of
from salt_g.process.secret_hiding import hide

#: Name of the argument with pillar, and prefix of a command line word that passes pillar.
_KEY, _WORD = "pillar", "pillar="
#: Key of a published job for the paths of secrets in its pillar, in the form of the setting `pillar_secrets`.
PATHS = "pillar_secrets"
#: Path of a value in pillar, or a pattern of paths, as one word per key.
_Path = tuple[str, ...]
_Job = TypeVar("_Job", bound=Mapping[str, Any])


def secrets_in(pillar: Mapping[str, Any], patterns: Any, noted: Collection[str] = ()) -> dict[str, str]:
    """Return {secret: path} of the values at `patterns` and of the `noted` texts found in other values."""
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
    """Return the arguments of a job or call without the secrets in `pillar`, which are hidden from now on.

    Shapes: the list of a job, whose items can be {__kwarg__: True, pillar: {...}} or "pillar=..." (for
    several functions a list of lists), or the keywords of a call. Pillar can be nested deeper, as in the
    arguments of a job that is scheduled.
    """
    return hide(_without_pillar(arguments, patterns))


def learn_from_job(load: Mapping[str, Any]) -> None:
    """Hide from now on the secrets in the `pillar` of a job, at the paths that the master named."""
    _without_pillar(load["arg"], load.get(PATHS))


def with_paths(job: _Job, patterns: Any) -> _Job:
    """Add the paths of secrets to a job that has `pillar`, so that its minions can hide them."""
    if not patterns or not _has_pillar(job.get("arg")):
        return job
    return {**job, PATHS: patterns}  # type: ignore[return-value]


def _without_pillar(arguments: Any, patterns: Any) -> Any:
    if isinstance(arguments, list):
        return [_without_pillar(one, patterns) for one in arguments]
    if isinstance(arguments, str):
        # The word is not parsed, so all of it is hidden.
        return f"{_WORD}<secret:pillar>" if arguments.startswith(_WORD) else arguments
    if not isinstance(arguments, Mapping):
        return arguments
    return {
        key: _shown_pillar(value, patterns) if key == _KEY and value else _without_pillar(value, patterns)
        for key, value in arguments.items()
    }


def _shown_pillar(pillar: Any, patterns: Any) -> Any:
    if not isinstance(pillar, Mapping):
        return "<secret:pillar>"
    secret_hiding.add(secrets_in(pillar, patterns))
    return hidden(pillar, patterns)


def _has_pillar(arguments: Any) -> bool:
    if isinstance(arguments, list):
        return any(_has_pillar(one) for one in arguments)
    if isinstance(arguments, Mapping):
        return bool(arguments.get(_KEY)) or any(_has_pillar(one) for one in arguments.values())
    return False


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
