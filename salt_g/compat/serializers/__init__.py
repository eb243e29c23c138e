"""Stock's `salt.serializers`: one module per format, with functions from `of_format`."""

from collections.abc import Callable
from typing import Any

from salt_g.errors import SaltGError
from salt_g.formats import serializers


class DeserializationError(SaltGError, RuntimeError):
    """Raised for text that is not valid in the format."""


class SerializationError(SaltGError, RuntimeError):
    """Raised for data that the format cannot hold."""


def of_format(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the functions (deserialize, serialize) of a format."""

    def deserialize(stream_or_string: Any, **options: Any) -> Any:
        text = stream_or_string if isinstance(stream_or_string, (str, bytes)) else stream_or_string.read()
        read = serializers.reader(name)
        try:
            return read(text, **options) if read else None
        except (SaltGError, ValueError) as exc:
            raise DeserializationError(str(exc)) from exc

    def serialize(obj: Any, **options: Any) -> Any:
        fp, write = options.pop("fp", None), serializers.writer(name)
        try:
            text = write(obj, **options) if write else None
        except (SaltGError, TypeError, ValueError) as exc:
            raise SerializationError(str(exc)) from exc
        return fp.write(text) if fp else text

    return deserialize, serialize


__all__ = ["DeserializationError", "SerializationError"]
