"""Stock's `salt.utils.yamlencoding`: values as YAML scalars, like the template filters of the same names."""

from typing import Any

from salt_g.render.jinja.environment import Environment


def yaml_dquote(text: Any) -> str:
    """Return text as a double-quoted YAML scalar."""
    return _filtered("yaml_dquote", text)


def yaml_squote(text: Any) -> str:
    """Return text as a single-quoted YAML scalar."""
    return _filtered("yaml_squote", text)


def yaml_encode(data: Any) -> str:
    """Return a scalar as YAML; raise TypeError for lists and mappings."""
    return _filtered("yaml_encode", data)


def _filtered(name: str, value: Any) -> str:
    return str(Environment(()).filters[name](value))


__all__ = ["yaml_dquote", "yaml_encode", "yaml_squote"]
