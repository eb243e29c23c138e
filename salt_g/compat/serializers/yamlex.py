"""Stock's `salt.serializers.yamlex`: YAML whose repeated keys are merged."""

from typing import Any, cast

from salt_g.compat.serializers import DeserializationError, SerializationError, of_format
from salt_g.errors import RenderError
from salt_g.render import yamlex
from salt_g.render.request import RenderRequest

available = True
_, serialize = of_format("yamlex")


def deserialize(stream_or_string: Any, **options: Any) -> Any:
    """Return the data of a YAML text or an open file, applying `!aggregate` and `!reset`."""
    text = stream_or_string if isinstance(stream_or_string, (str, bytes)) else stream_or_string.read()
    try:
        # The renderer uses only the text, not the request.
        request = cast("RenderRequest", None)
        return yamlex.render(text.decode() if isinstance(text, bytes) else text, request)
    except RenderError as exc:
        raise DeserializationError(str(exc)) from exc


def merge_recursive(obj_a: Any, obj_b: Any, level: Any = False) -> Any:
    """Return `obj_b` merged into `obj_a` as the marks `!aggregate` and `!reset` say."""
    return yamlex.merge(obj_a, obj_b)


__all__ = [
    "DeserializationError",
    "SerializationError",
    "available",
    "deserialize",
    "merge_recursive",
    "serialize",
]
