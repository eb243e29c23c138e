"""Stock's `salt.utils.yamlloader`: a loader class for PyYAML's functions, and functions that read YAML."""

import base64
from collections.abc import Generator
from typing import IO, Any

import yaml as pyyaml
from yaml.constructor import ConstructorError

from salt_g.formats import yaml_load


class SaltYamlSafeLoader(pyyaml.SafeLoader):
    """Loader of plain data, for PyYAML's `load` and `load_all`; repeated keys are an error."""

    def __init__(self, stream: Any, dictclass: type = dict) -> None:
        super().__init__(stream)
        self._mapping = dictclass

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Return a mapping; raise ConstructorError for a repeated key."""
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                place = (key_node.start_mark, f"found conflicting ID {key!r}")
                raise ConstructorError("while constructing a mapping", node.start_mark, *reversed(place))
            seen.add(key)
        return self._mapping(super().construct_mapping(node, deep))

    def construct_yaml_map(self, node: Any) -> Generator[Any, None, None]:
        """Yield an empty mapping, then fill it, because its values can refer to its anchor."""
        data = self._mapping()
        yield data
        data.update(self.construct_mapping(node))

    def construct_yaml_binary(self, node: Any) -> bytes:
        """Return bytes decoded from base64, whose padding can be missing."""
        text = "".join(str(node.value).split()).rstrip("=")
        try:
            return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        except ValueError as exc:
            said = f"failed to decode base64 data: {exc}"
            raise ConstructorError(None, None, said, node.start_mark) from None


for _tag in ("map", "omap"):
    SaltYamlSafeLoader.add_constructor(f"tag:yaml.org,2002:{_tag}", SaltYamlSafeLoader.construct_yaml_map)
SaltYamlSafeLoader.add_constructor("tag:yaml.org,2002:binary", SaltYamlSafeLoader.construct_yaml_binary)


def load(stream: str | bytes | IO[Any], Loader: Any = None) -> Any:
    """Return the value of a YAML text or file; a plugin's own `Loader` is used if given."""
    if Loader not in (None, SaltYamlSafeLoader):
        return pyyaml.load(stream, Loader)  # noqa: S506 - the plugin's choice
    return yaml_load.load(stream if isinstance(stream, (str, bytes)) else stream.read())


safe_load = load

__all__ = ["SaltYamlSafeLoader", "load", "safe_load"]
