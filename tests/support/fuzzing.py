"""Shared parts of all fuzz tests: `fuzz`, inputs made from real ones, and the limits of one example.

A fuzz test is a plain Hypothesis test. By itself it runs the same few examples each time; with
SALT_G_FUZZ_SECONDS in the environment it runs new ones for so long (`conftest.py`).
"""

from __future__ import annotations

import functools
import os
import signal
import time
import types
from collections.abc import Callable, Sequence
from typing import Any, AnyStr, NoReturn

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

#: How long each target is fuzzed (s), 0 for the same few examples each time.
SECONDS = float(os.environ.get("SALT_G_FUZZ_SECONDS") or 0)
#: Examples of one round.
ROUND = 500 if SECONDS else 25
#: What no example may take on a busy machine (s); what hangs is a finding.
LIMIT = 20.0
#: How many examples were run, by the name of the test.
examples: dict[str, int] = {}


class Hung(AssertionError):
    """An example took longer than `LIMIT`."""


def fuzz(
    *strategies: st.SearchStrategy[Any], **named: st.SearchStrategy[Any]
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Decorate a test that takes one example; `@example` may stand below it."""

    def decorate(test: Callable[..., Any]) -> Callable[..., None]:
        @functools.wraps(test)
        def watched(*args: Any, **kwargs: Any) -> Any:
            examples[test.__name__] = examples.get(test.__name__, 0) + 1
            earlier = signal.signal(signal.SIGALRM, _raise_hung)
            # The timer of the whole test goes on afterwards.
            left, _ = signal.setitimer(signal.ITIMER_REAL, LIMIT)
            began = time.monotonic()
            try:
                return test(*args, **kwargs)
            finally:
                signal.signal(signal.SIGALRM, earlier)
                left = max(left - (time.monotonic() - began), 0.001) if left else 0
                signal.setitimer(signal.ITIMER_REAL, left)

        return settings(
            max_examples=ROUND,
            derandomize=not SECONDS,
            database=None,
            deadline=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        )(given(*strategies, **named)(watched))

    return decorate


def _raise_hung(number: int, frame: types.FrameType | None) -> NoReturn:
    raise Hung(f"an example took longer than {LIMIT:g} s")


#: Values of all kinds that YAML and msgpack know, also as keys.
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(
        ["", "*", ".", "..", "/", "a:b", "%s", "{}", "\0", "\n", "\ud800", "None", "-1", "0x10"]
    )
)
KEYS = st.text(max_size=10) | st.integers(-5, 5) | st.none() | st.booleans() | st.floats(0, 2)


@functools.cache
def values(words: tuple[str, ...] = ("id", "name")) -> st.SearchStrategy[Any]:
    """Return nested data in which the given words are often keys and values."""
    known = st.sampled_from(words)
    return st.recursive(
        known | _LEAVES,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(known | KEYS, inner, max_size=4)
            | st.dictionaries(known, inner, max_size=4)
        ),
        max_leaves=12,
    )


@st.composite
def damaged(draw: st.DrawFn, wholes: Sequence[Any], words: tuple[str, ...] = ("id", "name")) -> Any:
    """Draw one of `wholes` with a part replaced, renamed, left out or repeated."""
    whole = draw(st.sampled_from(wholes))
    for _ in range(draw(st.integers(1, 3))):
        whole = _damaged(draw, whole, draw(st.integers(1, 6)), words)
    return whole


def _damaged(draw: st.DrawFn, value: Any, depth: int, words: tuple[str, ...]) -> Any:
    """Walk down `depth` levels at most and change what is there."""
    if depth and isinstance(value, dict) and value:
        key = draw(st.sampled_from(sorted(value, key=repr)))
        way = draw(st.integers(0, 3))
        rest = {name: item for name, item in value.items() if name != key}
        if way == 0:
            return rest
        if way == 1:
            return {**rest, draw(KEYS): value[key]}
        return {**value, key: _damaged(draw, value[key], depth - 1, words)}
    if depth and isinstance(value, list) and value:
        place = draw(st.integers(0, len(value) - 1))
        changed = [_damaged(draw, value[place], depth - 1, words)] * draw(st.integers(0, 2))
        return [*value[:place], *changed, *value[place + 1 :]]
    return draw(values(words))


@st.composite
def mutated(draw: st.DrawFn, seeds: Sequence[bytes], pieces: Sequence[bytes] = (b"",)) -> bytes:
    """Draw bytes: one of the seeds after a few edits; `pieces` are inserted often."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 5))):
        data = _edited(draw, data, seeds, st.sampled_from(pieces) | st.binary(max_size=8))
    return data


@st.composite
def mutated_text(draw: st.DrawFn, seeds: Sequence[str], pieces: Sequence[str] = ("",)) -> str:
    """Draw text: one of the seeds after a few edits; `pieces` are inserted often."""
    text = draw(st.sampled_from(seeds))
    some = st.sampled_from(pieces) | st.text(max_size=5)
    for _ in range(draw(st.integers(0, 6))):
        text = _edited(draw, text, seeds, some)
    return text


def _edited(
    draw: st.DrawFn, data: AnyStr, seeds: Sequence[AnyStr], pieces: st.SearchStrategy[AnyStr]
) -> AnyStr:
    """Return bytes or text after one edit."""
    start = draw(st.integers(0, len(data)))
    end = min(len(data), start + draw(st.sampled_from((0, 1, 2, 4, 8, 1 << 30))))
    way = draw(st.integers(0, 4))
    if way == 0:
        return data[:start] + data[end:]
    if way == 1:
        return data[:start] + data[start:end] * draw(st.sampled_from((2, 3, 50))) + data[end:]
    if way == 2:
        other = draw(st.sampled_from(seeds))
        return data[:start] + other[draw(st.integers(0, len(other))) :]
    piece = draw(pieces) * draw(st.sampled_from((1, 1, 1, 2, 60)))
    return data[:start] + piece + data[end if way == 3 else start :]
