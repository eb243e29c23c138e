"""Search for variables that a template sets inside a condition.

Other grains or pillar may decide the condition differently, so that they are defined or undefined.
"""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes
from jinja2.exceptions import TemplateError

from salt_g.render.jinja.environment import Environment

#: Blocks whose variables are not visible outside of the block.
_SCOPES = (nodes.For, nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.Block)


def is_set_in_branch(text: str, name: str, line: int) -> bool:
    """Return whether a template sets, inside a condition, a variable that is used in a line (from 1)."""
    try:
        template = Environment(()).parse(text)
    except TemplateError:
        return False
    return any(
        isinstance(scope, nodes.Template) or _uses(scope, name, line)
        for scope in _scopes(template, name, template, is_in_branch=False)
    )


def _scopes(node: nodes.Node, name: str, scope: nodes.Node, *, is_in_branch: bool) -> Iterator[nodes.Node]:
    """Yield the scope of each assignment to a variable inside a condition."""
    for child in node.iter_child_nodes():
        if isinstance(child, (nodes.Assign, nodes.AssignBlock)) and is_in_branch and name in _targets(child):
            yield scope
        yield from _scopes(
            child,
            name,
            child if isinstance(child, _SCOPES) else scope,
            is_in_branch=is_in_branch or isinstance(child, nodes.If),
        )


def _targets(setting: nodes.Assign | nodes.AssignBlock) -> set[str]:
    target = setting.target
    found = [target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name)
    return {one.name for one in found}


def _uses(scope: nodes.Node, name: str, line: int) -> bool:
    return any(one.name == name and one.lineno == line for one in scope.find_all(nodes.Name))
