"""Stock's `salt.serializers.msgpack`: msgpack."""

from salt_g.compat.serializers import DeserializationError, SerializationError, of_format

available = True
deserialize, serialize = of_format("msgpack")

__all__ = ["DeserializationError", "SerializationError", "available", "deserialize", "serialize"]
