"""Summary below the states of a host: counts and times.

Source: stock's `highstate`; conformance cases `entry/text-*`.
"""

from __future__ import annotations

from salt_g.output._chunk import Chunk
from salt_g.output._theme import Theme

#: Width of the longest label, "Succeeded" (9), with a colon and a space.
_LABEL_WIDTH = 11
#: Threshold above which total times are shown in seconds (ms).
_LONG = 999


class Counts:
    """Counts of one host's states; times are in ms."""

    def __init__(self) -> None:
        self.by_result: dict[bool | None, int] = {}
        self.changed = 0
        self.warned = 0
        self.serial_ms = 0.0
        self.parallel_ms = 0.0

    def add(self, chunk: Chunk) -> None:
        """Count a state; of parallel states only the longest adds to the time."""
        self.by_result[chunk.result] = self.by_result.get(chunk.result, 0) + chunk.names
        self.changed += chunk.changed
        duration = chunk.duration or 0.0
        if "__parallel__" in chunk.state:
            self.parallel_ms = max(self.parallel_ms, duration)
        else:
            self.serial_ms += duration

    @property
    def total(self) -> int:
        """Number of states."""
        return sum(self.by_result.values())

    @property
    def failed(self) -> int:
        """Number of failed states."""
        return self.by_result.get(False, 0)

    @property
    def unchanged(self) -> int:
        """Number of states that test mode left unchanged."""
        return self.by_result.get(None, 0)

    @property
    def succeeded(self) -> int:
        """Number of states that did not fail."""
        return self.by_result.get(True, 0) + self.unchanged


def summary(host: str, counts: Counts, theme: Theme) -> list[str]:
    """Return the summary lines of a host."""
    numbers = [*counts.by_result.values(), *([counts.warned] if counts.warned else [])]
    width = _LABEL_WIDTH + max((len(str(number)) for number in numbers), default=0)
    bad = "RED" if counts.failed else "CYAN"

    def count(color: str, label: str, number: float) -> str:
        return theme.painted(color, f"{label}: {number:>{width - len(label) - 2}}")

    rule = "-" * width
    lines = [
        theme.painted("CYAN", f"\nSummary for {host}\n{rule}"),
        count("GREEN", "Succeeded", counts.succeeded) + _details(counts, theme),
        count(bad, "Failed", counts.failed),
    ]
    if theme.shows_percent and counts.total:
        lines.append(count("GREEN", "Success %", round(counts.succeeded / counts.total * 100, 2)))
        lines.append(count(bad, "Failure %", round(counts.failed / counts.total * 100, 2)))
    if counts.warned:
        lines.append(count("LIGHT_RED", "Warnings", counts.warned))
    lines.append(theme.painted("CYAN", f"{rule}\nTotal states run: {counts.total:>{width - 7}}"))
    if theme.shows_times:
        lines.append(theme.painted("CYAN", f"Total run time: {_time(counts, width - 5)}"))
    return lines


def _details(counts: Counts, theme: Theme) -> str:
    details = []
    if counts.unchanged:
        details.append(theme.painted("LIGHT_YELLOW", f"unchanged={counts.unchanged}"))
    if counts.changed:
        details.append(theme.painted("GREEN", f"changed={counts.changed}"))
    return f" ({', '.join(details)})" if details else ""


def _time(counts: Counts, width: int) -> str:
    total = counts.serial_ms + counts.parallel_ms
    if total > _LONG:
        return f"{total / 1000:.3f}".rjust(width) + " s"
    return f"{total:.3f}".rjust(width) + " ms"
