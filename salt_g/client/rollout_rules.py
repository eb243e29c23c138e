"""Rules of a rollout: its waves, the checks after each wave, and the number of failures tolerated.

The command line builds them from its options, and the master reads them from a load; both report errors in
the same words.
Shapes: a load carries {waves: ["2", "10%"], checks: [[function, arguments]], soak, stop_at: "0"|"5%",
undo, batch: "" or as in `--batch`, timeout: None or a number}. Waves are cumulative: after the wave `10%`, a
tenth of the minions has been reached.
Units: seconds.
Errors: ClientError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.client.batch_window import size_of
from salt_g.errors import ClientError

#: Maximum number of waves and of checks, and the longest soak (s).
MOST_WAVES, MOST_CHECKS, LONGEST_SOAK = 100, 20, 30 * 86400.0


class Check(NamedTuple):
    """Function that checks the minions of a wave; `arg` is in wire form."""

    fun: str
    arg: list[Any]

    @property
    def name(self) -> str:
        """Function and first argument of the check, for messages."""
        words = [_shown(one) for one in self.arg[:1] if not isinstance(one, dict)]
        return " ".join([self.fun, *words])[:80]


class RolloutRules(NamedTuple):
    """Validated rules of one rollout."""

    waves: tuple[str, ...]
    checks: tuple[Check, ...] = ()
    soak: float = 0.0
    stop_at: str = "0"
    undo: bool = False
    batch: str = ""
    timeout: float | None = None

    def as_map(self) -> dict[str, Any]:
        """Return the rules as a load carries them."""
        return {**self._asdict(), "waves": list(self.waves), "checks": [list(one) for one in self.checks]}


def read_rules(given: Any) -> RolloutRules:
    """Return the rules in a load."""
    if not isinstance(given, Mapping):
        raise ClientError("the rules of a rollout must be a mapping")
    unknown = sorted(map(str, given.keys() - set(RolloutRules._fields)))
    if unknown:
        raise ClientError(f"unknown rules of a rollout: {', '.join(unknown)}")
    batch, timeout = str(given.get("batch") or ""), given.get("timeout")
    if batch:
        size_of(batch, 1)
    if timeout is not None and not _is_number(timeout, most=LONGEST_SOAK):
        raise ClientError(f"the timeout of a rollout must be a number of seconds up to {LONGEST_SOAK:.0f}")
    soak = given.get("soak") or 0
    if not _is_number(soak, most=LONGEST_SOAK):
        raise ClientError(f"soak must be a number of seconds up to {LONGEST_SOAK:.0f}")
    stop_at = str(given.get("stop_at") or "0")
    failures_borne(stop_at, 1)
    return RolloutRules(
        _waves(given.get("waves")),
        _checks(given.get("checks") or ()),
        float(soak),
        stop_at,
        bool(given.get("undo")),
        batch,
        timeout,
    )


def wave_ends(waves: Sequence[str], count: int) -> list[int]:
    """Return how many of `count` minions are reached by the end of each wave, without waves that add none.

    `["2", "10%", "100%"]` of 100 is [2, 10, 100], of 10 it is [2, 10].
    """
    ends: list[int] = []
    for wave in waves:
        end = min(count, size_of(wave, count))
        if end > (ends[-1] if ends else 0):
            ends.append(end)
    return ends


def failures_borne(stop_at: str, reached: int) -> float:
    """Return how many failures among `reached` minions `stop_at` allows; raise ClientError for bad text."""
    try:
        limit = float(stop_at.removesuffix("%"))
        if not 0 <= limit <= (100 if stop_at.endswith("%") else 1_000_000):
            raise ValueError
        return limit / 100 * reached if stop_at.endswith("%") else int(stop_at)
    except ValueError:
        raise ClientError(
            f"--stop-at {stop_at}: must be a number of minions up to 1000000, or a percentage up to 100%"
        ) from None


def why_stopped(stop_at: str, failed: int, reached: int) -> str:
    """Return the reason to stop, or '' if the failures are few enough: `10 % > 5 %`, `3 failed > 2`."""
    if failed <= failures_borne(stop_at, reached):
        return ""
    if not stop_at.endswith("%"):
        return f"{failed} failed > {stop_at}"
    return f"{100 * failed / max(1, reached):.3g} % > {float(stop_at[:-1]):g} %"


def _waves(given: Any) -> tuple[str, ...]:
    words = [str(one).strip() for one in given] if isinstance(given, (list, tuple)) else []
    if not words or len(words) > MOST_WAVES:
        raise ClientError(f"a rollout must have 1 to {MOST_WAVES} waves, such as 2,10%,50%,100%")
    for word in words:
        number = word.removesuffix("%")
        is_share = word.endswith("%")
        if not number.replace(".", "", 1 if is_share else 0).isdecimal() or float(number) <= 0:
            raise ClientError(f"wave {word!r}: must be a number of minions or a percentage, such as 2 or 10%")
        if is_share and float(number) > 100:
            raise ClientError(f"wave {word!r}: a percentage must not exceed 100%")
    for kind in (True, False):
        same = [float(word.removesuffix("%")) for word in words if word.endswith("%") is kind]
        if same != sorted(set(same)):
            raise ClientError(
                f"waves {','.join(words)}: each gives the minions reached by its end, so they must increase"
            )
    return tuple(words)


def _checks(given: Any) -> tuple[Check, ...]:
    if not isinstance(given, (list, tuple)) or len(given) > MOST_CHECKS:
        raise ClientError(f"the checks of a rollout must be a list of at most {MOST_CHECKS}")
    found = []
    for one in given:
        is_pair = isinstance(one, (list, tuple)) and len(one) == 2
        if not is_pair or not isinstance(one[0], str) or "." not in one[0] or not isinstance(one[1], list):
            shown = one[0] if is_pair else one
            raise ClientError(f"check {shown!r:.80}: must be a function with arguments, as for a minion")
        found.append(Check(one[0], one[1]))
    return tuple(found)


def _shown(argument: Any) -> str:
    """Return an argument as it was typed, such as the command `true`, which arrives as a boolean."""
    return str(argument).lower() if isinstance(argument, bool) else str(argument)


def _is_number(value: Any, *, most: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= most
