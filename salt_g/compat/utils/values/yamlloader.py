"""Stock's `salt.utils.yamlloader`: a class for PyYAML's own functions, and reading of YAML."""

from typing import IO, Any

import yaml as pyyaml

from salt_g.compat.utils.values import yaml


class SaltYamlSafeLoader(pyyaml.SafeLoader):
    """Loader of plain data, for PyYAML's `load` and `load_all`."""


def load(stream: str | bytes | IO[Any], Loader: Any = None) -> Any:
    """Return the value of a YAML text or file."""
    return yaml.safe_load(stream)


safe_load = load

__all__ = ["SaltYamlSafeLoader", "load", "safe_load"]
