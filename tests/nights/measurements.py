"""Measurements of a night: rows with targets, printed as a table and written as JSON."""

import dataclasses
import json
import operator
import pathlib

#: Comparisons of a measurement with its target.
COMPARE = {"<": operator.lt, "<=": operator.le, "==": operator.eq, ">=": operator.ge, ">": operator.gt}


@dataclasses.dataclass(frozen=True)
class Figure:
    """One measurement; `wanted` is ("<", 250), None without a target."""

    name: str
    value: float | int | None
    unit: str = ""
    wanted: tuple[str, float] | None = None

    @property
    def is_good(self):
        """Whether the measurement meets its target; a missing measurement does not."""
        if self.wanted is None:
            return True
        return self.value is not None and COMPARE[self.wanted[0]](self.value, self.wanted[1])


class Report:
    """Measurements of one night, in order."""

    def __init__(self, night, **facts):
        self.night = night
        self.facts = facts
        self.figures = []

    def add(self, name, value, unit="", wanted=None):
        """Add a measurement."""
        rounded = round(value, 3) if isinstance(value, float) else value
        self.figures.append(Figure(name, rounded, unit, wanted))

    @property
    def missed(self):
        """Names of measurements that miss their targets."""
        return [figure.name for figure in self.figures if not figure.is_good]

    def table(self):
        """Return the measurements as lines of text."""
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        lines = [f"{self.night}: {facts}"]
        width = max(len(figure.name) for figure in self.figures)
        for figure in self.figures:
            wanted = f"wanted {figure.wanted[0]} {figure.wanted[1]:g}" if figure.wanted else ""
            mark = "" if figure.is_good else "  MISSED"
            value = "none" if figure.value is None else f"{figure.value:,}"
            lines.append(f"  {figure.name:<{width}}  {value:>12} {figure.unit:<14} {wanted}{mark}".rstrip())
        return "\n".join(lines)

    def write(self, path):
        """Write everything as JSON."""
        figures = [{**dataclasses.asdict(figure), "good": figure.is_good} for figure in self.figures]
        text = {"night": self.night, **self.facts, "missed": self.missed, "figures": figures}
        pathlib.Path(path).write_text(json.dumps(text, indent=1) + "\n")


def share(values, part):
    """Return the quantile at this share of the values, None without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


def slope(points):
    """Return the slope of (x, y) points: the median of the slopes between all pairs (Theil and Sen).

    A few outliers, such as those of a burst, do not change it. None for fewer than two points.
    """
    pairs = [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for number, earlier in enumerate(points)
        for later in points[number + 1 :]
        if later[0] > earlier[0]
    ]
    return share(pairs, 0.5)
