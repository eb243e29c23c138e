"""Stock's `salt.utils.yaml`."""

from typing import IO, Any

from salt_g.errors import YamlError as YAMLError
from salt_g.formats import yaml_dump, yaml_load


def safe_load(stream: str | bytes | IO[Any]) -> Any:
    """Return the value of a YAML text or file."""
    return yaml_load.load(stream if isinstance(stream, (str, bytes)) else stream.read())


def safe_dump(data: Any, stream: IO[str] | None = None, **options: Any) -> str | None:
    """Return data as YAML, or write it to a file."""
    text = yaml_dump.dump(data, **options)
    if stream is None:
        return text
    stream.write(text)
    return None


load = safe_load
dump = safe_dump

__all__ = ["YAMLError", "dump", "load", "safe_dump", "safe_load"]
