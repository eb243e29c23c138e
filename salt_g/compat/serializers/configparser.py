"""Stock's `salt.serializers.configparser`: INI files."""

from salt_g.compat.serializers import DeserializationError, SerializationError, of_format

available = True
deserialize, serialize = of_format("configparser")

__all__ = ["DeserializationError", "SerializationError", "available", "deserialize", "serialize"]
