"""Stock's `salt.serializers.yamlex`."""

from salt_g.compat.serializers import DeserializationError, SerializationError, of_format

available = True
deserialize, serialize = of_format("yamlex")

__all__ = ["DeserializationError", "SerializationError", "available", "deserialize", "serialize"]
