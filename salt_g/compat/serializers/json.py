"""Stock's `salt.serializers.json`: JSON."""

from salt_g.compat.serializers import DeserializationError, SerializationError, of_format

available = True
deserialize, serialize = of_format("json")

__all__ = ["DeserializationError", "SerializationError", "available", "deserialize", "serialize"]
