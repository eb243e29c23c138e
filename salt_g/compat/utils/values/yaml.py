"""Stock's `salt.utils.yaml`: reading and writing of YAML."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import IO, Any

import yaml as pyyaml
from yaml import YAMLError

from salt_g.errors import YamlError
from salt_g.formats import yaml_dump, yaml_load
from salt_g.formats.ordered import Ordered


class InvalidYaml(YamlError, YAMLError):
    """Invalid YAML; derived also from PyYAML's error, which plugins catch."""


def safe_load(stream: str | bytes | IO[Any], Loader: Any = None) -> Any:
    """Return the value of a YAML text or file; raise PyYAML's YAMLError.

    If given, a plugin's own `Loader`, derived from `SaltYamlSafeLoader`, is used.
    """
    if Loader is not None and Loader.__name__ != "SaltYamlSafeLoader":
        return pyyaml.load(stream, Loader)  # noqa: S506 - the plugin's choice
    try:
        return yaml_load.load(stream if isinstance(stream, (str, bytes)) else stream.read())
    except YamlError as exc:
        raise InvalidYaml(
            str(exc), line=exc.line, column=exc.column, problem=exc.problem, stage=exc.stage
        ) from exc


class SafeOrderedDumper(pyyaml.SafeDumper):
    """Dumper for PyYAML's `dump` that keeps the order of mappings."""


class IndentedSafeOrderedDumper(SafeOrderedDumper):
    """Dumper like `SafeOrderedDumper` that also indents lists."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent the items of a list."""
        return super().increase_indent(flow, False)


def _in_order(dumper: pyyaml.SafeDumper, data: Mapping[Any, Any]) -> pyyaml.Node:
    """Return the node of a mapping without sorting its keys."""
    return dumper.represent_dict(list(data.items()))


def _unknown(dumper: pyyaml.SafeDumper, data: Any) -> pyyaml.Node:
    """Return null for a value without a YAML representation, as in stock."""
    return dumper.represent_scalar("tag:yaml.org,2002:null", "NULL")


for _kind in (OrderedDict, Ordered):
    SafeOrderedDumper.add_representer(_kind, _in_order)
# None stands for all other types; the library's type stubs do not allow it.
SafeOrderedDumper.add_representer(None, _unknown)  # type: ignore[arg-type]


def get_dumper(dumper_name: str) -> type[SafeOrderedDumper] | None:
    """Return the dumper class with this name for `dump`, or None if there is none."""
    known = (SafeOrderedDumper, IndentedSafeOrderedDumper)
    return next((each for each in known if each.__name__ == dumper_name), None)


def safe_dump(data: Any, stream: IO[str] | None = None, **options: Any) -> str | None:
    """Return data as YAML, or write it to a file; `Dumper` can be a dumper class of PyYAML."""
    dumper = options.pop("Dumper", None)
    text = yaml_dump.dump(data, **options) if dumper is None else pyyaml.dump(data, Dumper=dumper, **options)
    if stream is None:
        return text
    stream.write(text)
    return None


load = safe_load
dump = safe_dump


def __getattr__(name: str) -> Any:
    """Return the loader class of `salt.utils.yamlloader`, which stock also offers in this module."""
    if name == "SaltYamlSafeLoader":
        from salt_g.compat.utils.values.yamlloader import SaltYamlSafeLoader  # Imported lazily: rarely used.

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
