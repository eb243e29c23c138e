"""Stock's `salt.serializers.yaml`: YAML."""

from salt_g.compat.serializers import DeserializationError, SerializationError, of_format

available = True
deserialize, serialize = of_format("yaml")

__all__ = ["DeserializationError", "SerializationError", "available", "deserialize", "serialize"]
