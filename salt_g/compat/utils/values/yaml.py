"""Stock's `salt.utils.yaml`."""

from typing import IO, Any

import yaml as pyyaml

from salt_g.errors import YamlError as YAMLError
from salt_g.formats import yaml_dump, yaml_load


def safe_load(stream: str | bytes | IO[Any]) -> Any:
    """Return the value of a YAML text or file."""
    return yaml_load.load(stream if isinstance(stream, (str, bytes)) else stream.read())


class SafeOrderedDumper(pyyaml.SafeDumper):
    """Dumper that keeps the order of mappings, for PyYAML's `dump`."""


class IndentedSafeOrderedDumper(SafeOrderedDumper):
    """The same with indented lists."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent the items of a list."""
        return super().increase_indent(flow, False)


def get_dumper(dumper_name: str) -> type[SafeOrderedDumper] | None:
    """Return a class for the argument `Dumper` of `dump`, or None if there is none of this name."""
    known = (SafeOrderedDumper, IndentedSafeOrderedDumper)
    return next((each for each in known if each.__name__ == dumper_name), None)


def safe_dump(data: Any, stream: IO[str] | None = None, **options: Any) -> str | None:
    """Return data as YAML, or write it to a file; `Dumper` is one of PyYAML's kind."""
    dumper = options.pop("Dumper", None)
    text = yaml_dump.dump(data, **options) if dumper is None else pyyaml.dump(data, Dumper=dumper, **options)
    if stream is None:
        return text
    stream.write(text)
    return None


load = safe_load
dump = safe_dump


def __getattr__(name: str) -> Any:
    """Return the loader class of `salt.utils.yamlloader`, which stock has here as well."""
    if name == "SaltYamlSafeLoader":
        from salt_g.compat.utils.values.yamlloader import SaltYamlSafeLoader  # It imports this file.

        return SaltYamlSafeLoader
    raise AttributeError(name)


__all__ = [
    "IndentedSafeOrderedDumper",
    "SafeOrderedDumper",
    "YAMLError",
    "dump",
    "get_dumper",
    "load",
    "safe_dump",
    "safe_load",
]
