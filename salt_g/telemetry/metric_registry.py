"""Metrics of a daemon and their output: counters, gauges, histograms with fixed buckets.

Parts of a daemon only update their own numbers. Metrics are declared in `daemon_metrics.py` and in the
`background/*_metrics.py` of each daemon; this module returns them as a mapping for users or as Prometheus's
text. It uses no socket, clock or file.
Shapes: names are Prometheus's (`salt_g_…_total`, `…_seconds`, `…_bytes`); a family has samples, which differ
by their labels.
Units: seconds, bytes, or counted things.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.shapes.loads import MetricValues

#: Upper bounds of the buckets of durations (s): from a tenth of a millisecond to ten seconds.
SECONDS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")
_INFINITE = float("inf")


class Sample(NamedTuple):
    """One number of a family; `suffix` follows the family's name (`_bucket`, `_sum`, `_count`)."""

    suffix: str
    labels: tuple[tuple[str, str], ...]
    value: float


class Family(NamedTuple):
    """All samples of one name at one moment; `kind` is `counter`, `gauge` or `histogram`."""

    name: str
    kind: str
    help: str
    samples: tuple[Sample, ...]


class Histogram:
    """Durations or sizes in fixed buckets: `observe` allocates nothing and takes one bisection."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Add a value to its bucket and to the sum."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    @property
    def count(self) -> int:
        """Number of values counted."""
        return sum(self.counts)

    def quantile(self, share: float) -> float:
        """Return an estimate of the quantile `share`, interpolated linearly within its bucket.

        Values above the last bound count as that bound; without values the quantile is 0.
        """
        wanted = share * self.count
        seen, lower = 0, 0.0
        for number, upper in zip(self.counts, self.bounds, strict=False):
            if number and seen + number >= wanted:
                return lower + (upper - lower) * max(0.0, wanted - seen) / number
            seen, lower = seen + number, upper
        return lower if seen < self.count else 0.0

    def samples(self, labels: tuple[tuple[str, str], ...]) -> Iterator[Sample]:
        """Yield the samples of this histogram: cumulative buckets, then sum and count."""
        seen = 0
        for number, bound in zip(self.counts, (*self.bounds, _INFINITE), strict=True):
            seen += number
            yield Sample("_bucket", (*labels, ("le", number_text(bound))), seen)
        yield Sample("_sum", labels, self.sum)
        yield Sample("_count", labels, seen)


#: Value read on request: a number, or numbers by the value of one label.
Reading = Callable[[], "float | Mapping[str, float]"]


class MetricRegistry:
    """Metrics of one daemon. Each name is registered only once; invalid names are programming errors."""

    def __init__(self) -> None:
        self._families: dict[str, Callable[[], Family]] = {}
        self._histograms: dict[str, tuple[str, Mapping[str, Histogram]]] = {}

    def counter(self, name: str, help: str, read: Reading, *, label: str = "") -> None:
        """Register a monotonic counter; `read` returns its value, or {label value: number} with a `label`."""
        if not name.endswith("_total"):
            raise ValueError(f"the name of a counter must end in _total: {name}")
        self._add(name, lambda: Family(name, "counter", help, tuple(_read(read, label))))

    def gauge(self, name: str, help: str, read: Reading, *, label: str = "") -> None:
        """Register a value that can rise and fall."""
        self._add(name, lambda: Family(name, "gauge", help, tuple(_read(read, label))))

    def histogram(
        self, name: str, help: str, of: Histogram | Mapping[str, Histogram], *, label: str = ""
    ) -> None:
        """Register a histogram, or one for each value of a `label`; the caller adds the observations."""
        histograms = {"": of} if isinstance(of, Histogram) else of
        self._histograms[name] = (label, histograms)

        def family() -> Family:
            samples = (
                sample
                for value, one in histograms.items()
                for sample in one.samples(((label, value),) if label else ())
            )
            return Family(name, "histogram", help, tuple(samples))

        self._add(name, family)

    def families(self) -> list[Family]:
        """Return the families of all metrics, sorted by name."""
        return [self._families[name]() for name in sorted(self._families)]

    def text(self) -> str:
        """Return all metrics in Prometheus's text format, version 0.0.4."""
        return "".join(line for family in self.families() for line in _lines(family))

    def map(self) -> MetricValues:
        """Return {name: number}, {name: {label: number}} with a label, and summaries of histograms.

        A summary is {count, sum, p50, p99}; with a label it is {label value: summary}, without empty
        histograms.
        """
        found: MetricValues = {}
        for name in sorted(self._families):
            if name in self._histograms:
                found[name] = _summary(*self._histograms[name])
                continue
            samples = self._families[name]().samples
            labelled = {sample.labels[0][1]: sample.value for sample in samples if sample.labels}
            found[name] = labelled if labelled or not samples else samples[0].value
        return found

    def _add(self, name: str, family: Callable[[], Family]) -> None:
        if not _NAME.match(name) or name in self._families:
            raise ValueError(f"metric {name!r} has an invalid name or is registered twice")
        self._families[name] = family


def number_text(value: float) -> str:
    """Return a number in Prometheus's text format."""
    if value == _INFINITE:
        return "+Inf"
    return str(int(value)) if value == int(value) else repr(float(value))


def _read(read: Reading, label: str) -> Iterator[Sample]:
    found = read()
    if isinstance(found, Mapping):
        yield from (Sample("", ((label, value),), found[value]) for value in sorted(found))
    else:
        yield Sample("", (), found)


def _lines(family: Family) -> Iterator[str]:
    yield f"# HELP {family.name} {_escaped(family.help)}\n"
    yield f"# TYPE {family.name} {family.kind}\n"
    for sample in family.samples:
        yield f"{family.name}{sample.suffix}{_labels(sample.labels)} {number_text(sample.value)}\n"


def _labels(labels: Iterable[tuple[str, str]]) -> str:
    inner = ",".join(f'{name}="{_escaped(value, quote=True)}"' for name, value in labels)
    return f"{{{inner}}}" if inner else ""


def _escaped(text: str, *, quote: bool = False) -> str:
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quote else text


def _summary(label: str, histograms: Mapping[str, Histogram]) -> Any:
    found = {
        value: {
            "count": one.count,
            "sum": round(one.sum, 6),
            "p50": round(one.quantile(0.5), 6),
            "p99": round(one.quantile(0.99), 6),
        }
        for value, one in histograms.items()
        if one.count or not label
    }
    return found if label else found[""]
