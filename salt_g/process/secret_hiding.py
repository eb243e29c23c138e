"""Hook through which all output of this process hides known secrets.

Returns, events, log lines, tracebacks, steps and command line output pass their data through `hide`. While no
secret is known, `hide` is a single comparison; `known_secrets.py`, which does the work, is imported with the
first secret. Secrets are process-wide and not part of a call, because log lines and tracebacks are written
outside of calls too.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from salt_g.process.known_secrets import KnownSecrets

_T = TypeVar("_T")

#: Key in pillar that carries {secret: label} from the compiler to the code that hides secrets.
MARKS = "__secrets__"
#: Label of a secret whose place in pillar is not known.
NO_LABEL = ""
#: Secrets of this process, None until the first one is added.
_known: KnownSecrets | None = None
#: Values found during the running compilation of pillar, see `collecting`.
_collected: contextvars.ContextVar[dict[str, None] | None] = contextvars.ContextVar(
    "salt_g_collected_secrets", default=None
)


def is_active() -> bool:
    """Return whether any secret is known."""
    return _known is not None


def hide(value: _T) -> _T:
    """Return text, or nested data, with known secrets replaced by `<secret:PATH>`."""
    return value if _known is None else _known.hide(value)


def contains_secret(data: bytes) -> bool:
    """Return whether the content of a file holds a known secret."""
    return _known is not None and _known.is_in(data)


def add(values: Mapping[str, str]) -> None:
    """Hide these values {secret: label} from now on."""
    global _known
    if not values:
        return
    if _known is None:
        from salt_g.process import known_secrets

        _known = known_secrets.KnownSecrets()
        known_secrets.hide_in_uncaught_errors(hide)
    _known.add(values)


def note(value: Any, label: str = NO_LABEL) -> None:
    """Hide a value, or the values of nested data, found while pillar is compiled or SLS are rendered.

    The pillar compiler receives the values too (`collecting`), and labels them with their paths in pillar.
    """
    from salt_g.process.known_secrets import leaves_of

    found = leaves_of(value)
    collected = _collected.get()
    if collected is not None:
        collected.update(dict.fromkeys(found))
    add(dict.fromkeys(found, label))


def learn_from(pillar: dict[str, Any]) -> None:
    """Remove the marks of secrets from pillar, and hide the marked secrets from now on."""
    marks = pillar.pop(MARKS, None)
    if isinstance(marks, Mapping):
        add({str(value): str(label) for value, label in marks.items()})


def learned(pillars: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Apply `learn_from` to each pillar, and return the pillars without their marks."""
    for pillar in pillars.values():
        learn_from(pillar)
    return pillars


@contextlib.contextmanager
def collecting() -> Iterator[dict[str, None]]:
    """Yield a dict that receives as keys the values passed to `note` in the block, in order."""
    token = _collected.set({})
    try:
        found = _collected.get()
        yield {} if found is None else found
    finally:
        _collected.reset(token)


@contextlib.contextmanager
def forgotten() -> Iterator[None]:
    """Forget the known secrets during the block, and restore them afterwards; for tests."""
    global _known
    before, _known = _known, None
    try:
        yield
    finally:
        _known = before
