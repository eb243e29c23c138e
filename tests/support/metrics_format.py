"""Strict parsing of the text that Prometheus scrapes.

Shapes: a family is {name, kind, samples: [(suffix, labels, value)]}.
"""

import re
from typing import Any

_SAMPLE = re.compile(r'([a-z_][a-z0-9_]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)\Z')
_LABEL = re.compile(r'([a-z_]+)="((?:[^"\\]|\\.)*)"')

Family = dict[str, Any]


def parse(text: str) -> dict[str, Family]:
    """Return {name: family}; fail on violations of the format."""
    assert text.endswith("\n")
    families: dict[str, Family] = {}
    current: Family = {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name = line.split(" ", 3)[2]
            assert name not in families
            current = families[name] = {"name": name, "kind": "", "samples": []}
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name == current["name"] and not current["kind"] and not current["samples"]
            current["kind"] = kind
        else:
            current["samples"].append(_sample(line, current))
    for family in families.values():
        _check(family)
    return families


def _sample(line: str, family: Family) -> tuple[str, dict[str, str], float]:
    found = _SAMPLE.match(line)
    assert found, line
    name, labels, value = found.groups()
    suffix = name.removeprefix(family["name"])
    allowed = ("_bucket", "_sum", "_count") if family["kind"] == "histogram" else ("",)
    assert name.startswith(family["name"]) and suffix in allowed
    return suffix, dict(_LABEL.findall(labels or "")), float(value)


def _check(family: Family) -> None:
    keys = [(suffix, tuple(sorted(labels.items()))) for suffix, labels, _ in family["samples"]]
    assert len(keys) == len(set(keys))
    if family["kind"] == "counter":
        assert family["name"].endswith("_total")
    if family["kind"] == "histogram":
        _check_buckets(family["samples"])


def _check_buckets(samples: list[tuple[str, dict[str, str], float]]) -> None:
    """Fail unless the buckets of each series rise, end with infinity and agree with its count."""
    series: dict[tuple[tuple[str, str], ...], list[tuple[str, str, float]]] = {}
    for suffix, labels, value in samples:
        key = tuple(sorted((name, text) for name, text in labels.items() if name != "le"))
        series.setdefault(key, []).append((suffix, labels.get("le", ""), value))
    for found in series.values():
        buckets = [(float(le), value) for suffix, le, value in found if suffix == "_bucket"]
        assert buckets == sorted(buckets) and buckets[-1][0] == float("inf")
        assert [value for _, value in buckets] == sorted(value for _, value in buckets)
        assert ("_count", "", buckets[-1][1]) in found
