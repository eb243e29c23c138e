"""Stock's `salt.ext.six`: with Python 3 only, most names are Python's own."""

import io
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any

PY2, PY3, PY34 = False, True, True
string_types = (str,)
text_type = str
binary_type = bytes
integer_types = (int,)
class_types = (type,)
StringIO = io.StringIO
BytesIO = io.BytesIO
next = next
unichr = chr


def iteritems(mapping: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Return an iterator over the items."""
    return iter(mapping.items())


def iterkeys(mapping: Mapping[Any, Any]) -> Iterator[Any]:
    """Return an iterator over the keys."""
    return iter(mapping.keys())


def itervalues(mapping: Mapping[Any, Any]) -> Iterator[Any]:
    """Return an iterator over the values."""
    return iter(mapping.values())


def viewitems(mapping: Mapping[Any, Any]) -> ItemsView[Any, Any]:
    """Return the items."""
    return mapping.items()


def viewkeys(mapping: Mapping[Any, Any]) -> KeysView[Any]:
    """Return the keys."""
    return mapping.keys()


def viewvalues(mapping: Mapping[Any, Any]) -> ValuesView[Any]:
    """Return the values."""
    return mapping.values()


def u(text: str) -> str:
    """Return text unchanged."""
    return text


def b(text: str) -> bytes:
    """Return a text encoded as Latin-1."""
    return text.encode("latin-1")


def ensure_str(value: str | bytes, encoding: str = "utf-8", errors: str = "strict") -> str:
    """Return text unchanged, and bytes decoded."""
    return value.decode(encoding, errors) if isinstance(value, bytes) else value


def ensure_binary(value: str | bytes, encoding: str = "utf-8", errors: str = "strict") -> bytes:
    """Return bytes unchanged, and text encoded."""
    return value.encode(encoding, errors) if isinstance(value, str) else value


ensure_text = ensure_str


def add_metaclass(metaclass: Callable[..., type]) -> Callable[[type], type]:
    """Return a decorator that recreates a class with this metaclass."""

    def remade(cls: type) -> type:
        names = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        return metaclass(cls.__name__, cls.__bases__, names)

    return remade


def with_metaclass(metaclass: Callable[..., type], *bases: type) -> type:
    """Return a base class whose subclasses have this metaclass."""
    return metaclass("Base", bases, {})


def reraise(kind: Any, value: BaseException | None, traceback: Any = None) -> None:
    """Re-raise an exception."""
    raise (kind() if value is None else value).with_traceback(traceback)


def raise_from(value: BaseException, cause: BaseException | None) -> None:
    """Raise an exception with `cause` as its cause."""
    raise value from cause
