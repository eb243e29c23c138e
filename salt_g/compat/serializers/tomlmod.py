"""Stock's `salt.serializers.tomlmod`: TOML, under another name."""

from salt_g.compat.serializers import DeserializationError, SerializationError, of_format

available = True
deserialize, serialize = of_format("toml")

__all__ = ["DeserializationError", "SerializationError", "available", "deserialize", "serialize"]
