"""Evaluator of conditions in SLS files, such as `m_ret["Status"] == "ready"`.

Conditions have the form of Python expressions, but no Python is executed: the syntax tree is walked, and only
comparisons, arithmetic, lookups and a few harmless functions are supported.
Errors: ValueError names the unsupported part; exceptions raised by the values themselves propagate.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}
#: No power and no shift: `9 ** 9 ** 9` would never finish.
_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: dict[type, Callable[[Any], Any]] = {ast.Not: operator.not_, ast.USub: operator.neg}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name.__name__: name for name in (all, any, bool, float, int, len, max, min, sorted, str, sum)
}
#: Read-only methods of strings, lists and dicts.
_METHODS = frozenset(
    (
        *("count", "endswith", "find", "get", "index", "items", "keys", "lower", "split", "startswith"),
        *("strip", "upper", "values"),
    )
)


def evaluate(condition: str, names: Mapping[str, Any]) -> Any:
    """Return the value of a condition; `names` are the variables available to it."""
    try:
        tree = ast.parse(condition.strip(), mode="eval")
    except SyntaxError as exc:
        raise ValueError(f"condition {condition!r} is not an expression: {exc.msg}") from exc
    return _Evaluation(condition, names).value(tree.body)


class _Evaluation:
    """One evaluation of a condition."""

    def __init__(self, condition: str, names: Mapping[str, Any]) -> None:
        self._condition = condition
        self._names = names

    def value(self, node: ast.expr) -> Any:
        """Return the value of a node of the syntax tree."""
        walk = getattr(self, f"_{type(node).__name__.lower()}", None)
        if walk is None:
            raise self._refusal(node)
        return walk(node)

    def _refusal(self, node: ast.AST) -> ValueError:
        part = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
        return ValueError(f"{part!r} in condition {self._condition!r} is not understood")

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        if node.id not in self._names:
            raise self._refusal(node)
        return self._names[node.id]

    def _list(self, node: ast.List) -> list[Any]:
        return [self.value(item) for item in node.elts]

    def _tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(self.value(item) for item in node.elts)

    def _subscript(self, node: ast.Subscript) -> Any:
        return self.value(node.value)[self.value(node.slice)]

    def _boolop(self, node: ast.BoolOp) -> Any:
        stops_at = isinstance(node.op, ast.Or)
        found: Any = None
        for part in node.values:
            found = self.value(part)
            if bool(found) is stops_at:
                break
        return found

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        return self._operation(_UNARY, node.op)(self.value(node.operand))

    def _binop(self, node: ast.BinOp) -> Any:
        return self._operation(_ARITHMETIC, node.op)(self.value(node.left), self.value(node.right))

    def _compare(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for kind, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part)
            if not self._operation(_COMPARISONS, kind)(left, right):
                return False
            left = right
        return True

    def _call(self, node: ast.Call) -> Any:
        if node.keywords:
            raise self._refusal(node)
        return self._callable(node.func)(*(self.value(argument) for argument in node.args))

    def _callable(self, node: ast.expr) -> Callable[..., Any]:
        if isinstance(node, ast.Name) and node.id in _FUNCTIONS:
            return _FUNCTIONS[node.id]
        if isinstance(node, ast.Attribute) and node.attr in _METHODS:
            method: Callable[..., Any] = getattr(self.value(node.value), node.attr)
            return method
        raise self._refusal(node)

    def _operation(self, known: Mapping[type, Callable[..., Any]], kind: ast.AST) -> Callable[..., Any]:
        if type(kind) not in known:
            raise self._refusal(kind)
        return known[type(kind)]
