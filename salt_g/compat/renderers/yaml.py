"""Stock's `salt.renderers.yaml`: the renderer `yaml`."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from salt_g.compat.loader.tables import renderer
from salt_g.compat.utils.values.yamlloader import SaltYamlSafeLoader

render = renderer("yaml")


def get_yaml_loader(argline: str) -> Callable[..., Any]:
    """Return a function that creates a loader for a stream (`yaml.load(..., Loader=)`).

    The loader returns mappings as OrderedDict.
    """
    # Unlike the library's loader, this class accepts a second argument.
    kind: Any = SaltYamlSafeLoader
    return lambda stream: kind(stream, dictclass=OrderedDict)


__all__ = ["get_yaml_loader", "render"]
