"""Functions that a job calls through another function.

`test.try` and `test.cross_test` call any function by its name. They match `test.*`, which is often granted as
harmless, so the function that they call must be allowed, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from salt_g.auth.permissions import FunctionCall

#: Maximum depth of calls within calls; deeper ones are refused to all users with limits.
MOST_LEVELS = 5
#: A call that no permission allows.
_NOTHING = FunctionCall("")
#: Arguments of `test.try` itself, not of the function that it calls.
_OWN = ("module", "return_try_exception")


def with_called(calls: Iterable[FunctionCall]) -> list[FunctionCall]:
    """Return the calls, each followed by the calls that it makes through such a function."""
    found: list[FunctionCall] = []
    for call in calls:
        inner: FunctionCall | None = call
        for _ in range(MOST_LEVELS):
            if inner is None:
                break
            found.append(inner)
            inner = _called_by(inner)
        else:
            if inner is not None:
                found.append(_NOTHING)
    return found


def _called_by(call: FunctionCall) -> FunctionCall | None:
    """Return the call that `test.try` or `test.cross_test` makes, or None for other functions."""
    if call.fun == "test.try":
        name = call.args[0] if call.args else call.kwargs.get("module")
        kwargs = {key: value for key, value in call.kwargs.items() if key not in _OWN}
        return _named(name, (), kwargs)
    if call.fun == "test.cross_test":
        name = call.args[0] if call.args else call.kwargs.get("func")
        args = call.args[1] if len(call.args) > 1 else call.kwargs.get("args")
        return _named(name, args if isinstance(args, list) else () if args is None else [args], {})
    return None


def _named(name: object, args: Iterable[object], kwargs: Mapping[str, object]) -> FunctionCall | None:
    if name is None:
        return None
    return FunctionCall(name, list(args), kwargs) if isinstance(name, str) else _NOTHING
