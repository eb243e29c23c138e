"""Parser of Python versions and of requirements such as `Django[argon2]>=4.2,!=5.0.*`.

pip's own library moves between releases, and states need only an ordering and eight operators.
Source: PEP 440, PEP 508 (names and version clauses; markers and URLs are left to pip).
"""

from __future__ import annotations

import re
from typing import Any

_VERSION = re.compile(
    r"\s*v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_n>\d*))?"
    r"(?:-(?P<post_n1>\d+)|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_n2>\d*))?"
    r"(?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_n>\d*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*",
    re.I,
)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;@)]*)\)?\s*(?:;.*)?")
_CLAUSE = re.compile(r"\s*(===|~=|==|!=|<=|>=|<|>)\s*([^\s,]+)\s*")
_PRE = {"alpha": "a", "beta": "b", "preview": "rc", "pre": "rc", "c": "rc"}

#: [(operator, version)]
Clauses = list[tuple[str, str]]


def parse_requirement(text: str) -> tuple[str, Clauses] | None:
    """Return (name, clauses) of a requirement; None if it is not a project name with valid clauses."""
    found = _REQUIREMENT.fullmatch(text)
    if not found:
        return None
    clauses: Clauses = []
    for part in found[2].split(",") if found[2].strip() else []:
        clause = _CLAUSE.fullmatch(part)
        if not clause:
            return None
        clauses.append((clause[1], clause[2]))
    return found[1], clauses


def normalize(name: str) -> str:
    """Return the normalized project name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def compare(first: str, second: str) -> int | None:
    """Return a number below, at or above 0 as `first` is older, equal or newer; None if not comparable."""
    ours, theirs = _key(first), _key(second)
    if ours is None or theirs is None:
        return None
    return (ours > theirs) - (ours < theirs)


def fulfils(version: str, clauses: Clauses) -> bool:
    """Return whether a version satisfies all clauses."""
    return all(_holds(version, operator, wanted) for operator, wanted in clauses)


def _holds(version: str, operator: str, wanted: str) -> bool:
    if operator == "===":
        return version == wanted
    if wanted.endswith(".*"):
        return _begins(version, wanted[:-2]) == (operator == "==")
    if operator == "~=":
        head = wanted.rpartition(".")[0]
        return _begins(version, head) and _holds(version, ">=", wanted)
    if operator in ("==", "!=") and "+" not in wanted:
        version = version.partition("+")[0]
    order = compare(version, wanted)
    if order is None:
        return False
    results = {"==": order == 0, "!=": order != 0, "<": order < 0}
    results.update({"<=": order <= 0, ">": order > 0, ">=": order >= 0})
    return results[operator]


def _begins(version: str, head: str) -> bool:
    ours, theirs = _VERSION.fullmatch(version), _VERSION.fullmatch(head)
    if not ours or not theirs:
        return False
    parts, wanted = (found["release"].split(".") for found in (ours, theirs))
    parts += ["0"] * (len(wanted) - len(parts))
    return [int(part) for part in parts[: len(wanted)]] == [int(part) for part in wanted]


def _key(version: str) -> tuple[Any, ...] | None:
    """Return a sort key in PEP 440 order: dev before pre before final before post."""
    found = _VERSION.fullmatch(version)
    if not found:
        return None
    release = tuple(int(part) for part in re.sub(r"(\.0)+$", "", found["release"]).split("."))
    has_post = found["post"] is not None or found["post_n1"] is not None
    post = int(found["post_n1"] or found["post_n2"] or 0) if has_post else -1
    dev = int(found["dev_n"] or 0) if found["dev"] else float("inf")
    if found["pre"]:
        word = found["pre"].lower()
        pre: tuple[str, int] = (_PRE.get(word, word), int(found["pre_n"] or 0))
    else:
        # A development release of a final version sorts before its alphas.
        pre = ("", 0) if found["dev"] and not has_post else ("z", 0)
    return int(found["epoch"] or 0), release, pre, post, dev, _local_key(found["local"])


def _local_key(local: str | None) -> tuple[tuple[int, int, str], ...]:
    parts = re.split(r"[-_.]", local.lower()) if local else []
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)
