"""States that succeed, fail or pretend changes on request, for trying requisites, test mode and output."""

from __future__ import annotations

import random
from typing import Any

from salt_g import api
from salt_g.api import call, opts
from salt_g.errors import InvocationError
from salt_g.shapes import StateReturn, low_tag
from salt_g.states._outcome import outcome

#: Pretended changes.
PRETENDED = {"testing": {"old": "Unchanged", "new": "Something pretended to change"}}

#: Types that `check_pillar` can check, by argument name.
_PILLAR_TYPES: dict[str, type | tuple[type, ...] | None] = {
    "present": None,
    "boolean": bool,
    "integer": int,
    "string": (str,),
    "listing": list,
    "dictionary": dict,
}


def nop(name: str, **kwargs: Any) -> StateReturn:
    """Succeed without doing anything, whatever the arguments; useful as a target of requisites.

    Example::

        salt-g state.single test.nop here
    """
    return outcome(name, True, "Success!")


def succeed_without_changes(name: str, comment: str = "Success!", **kwargs: Any) -> StateReturn:
    """Succeed and change nothing.

    Example::

        salt-g state.single test.succeed_without_changes here
    """
    return outcome(name, True, comment)


def fail_without_changes(name: str, comment: str = "Failure!", **kwargs: Any) -> StateReturn:
    """Fail and change nothing, in test mode as well.

    Example::

        salt-g state.single test.fail_without_changes here
    """
    return outcome(
        name, False, "If we weren't testing, this would be a failure!" if opts["test"] else comment
    )


def succeed_with_changes(name: str, comment: str = "Success!", **kwargs: Any) -> StateReturn:
    """Succeed and pretend a change.

    Example::

        salt-g state.single test.succeed_with_changes here
    """
    if opts["test"]:
        text = "If we weren't testing, this would be successful with changes"
        return outcome(name, None, text, dict(PRETENDED))
    return outcome(name, True, comment, dict(PRETENDED))


def fail_with_changes(name: str, comment: str = "Failure!", **kwargs: Any) -> StateReturn:
    """Fail and pretend a change.

    Example::

        salt-g state.single test.fail_with_changes here
    """
    if opts["test"]:
        text = "If we weren't testing, this would be failed with changes"
        return outcome(name, None, text, dict(PRETENDED))
    return outcome(name, False, comment, dict(PRETENDED))


def configurable_test_state(
    name: str,
    changes: Any = True,
    result: Any = True,
    comment: str = "",
    warnings: Any = None,
    allow_test_mode_failure: bool = False,
) -> StateReturn:
    """Return the requested result: `changes` and `result` are True, False or 'Random'.

    `warnings` is a text or a list of texts. In test mode the result is None, True without
    changes, and False only with `allow_test_mode_failure`. Raises InvocationError for other values.

    Example::

        salt-g state.single test.configurable_test_state here changes=False result=False
    """
    pretended = dict(PRETENDED) if _chosen("changes", changes) else {}
    wanted = _chosen("result", result)
    extra = {} if warnings is None else {"warnings": _as_warnings(warnings)}
    if not opts["test"]:
        return outcome(name, wanted, comment, pretended, **extra)
    in_test = False if allow_test_mode_failure and result is False else True if changes is False else None
    return outcome(name, in_test, comment or "This is a test", pretended, **extra)


def show_notification(name: str, text: str | None = None, **kwargs: Any) -> StateReturn:
    """Succeed with `text` as the comment. Raises InvocationError without a text.

    Example::

        salt-g state.single test.show_notification here text='the door is open'
    """
    if not text:
        raise InvocationError("Missing required argument text.")
    return outcome(name, True, text)


def mod_watch(name: str, sfun: str | None = None, **kwargs: Any) -> StateReturn:
    """Report which watched states changed; `result`, `comment` and `changes` override the return.

    Example::

        salt-g state.single test.mod_watch here
    """
    context = api.current()
    watched = context.low.get("__reqs__", {}).get("watch", [])
    changed = [
        f"{low['state']}: {low['__id__']}" for low in watched if context.running[low_tag(low)]["changes"]
    ]
    made = outcome(name, kwargs.get("result", True), kwargs.get("comment", "Watch statement fired."))
    # As given: stock refuses the return of a watching `configurable_test_state` with `changes: False`, too.
    return {**made, "changes": kwargs.get("changes", {"Requisites with changes": changed})}


def check_pillar(
    name: str,
    present: Any = None,
    boolean: Any = None,
    integer: Any = None,
    string: Any = None,
    listing: Any = None,
    dictionary: Any = None,
    verbose: bool = False,
) -> StateReturn:
    """Succeed if all these pillar keys (colon paths; a text or a list) exist with their types.

    Raises InvocationError when no key is given.

    Example::

        salt-g state.single test.check_pillar here present=users
    """
    asked = dict(
        present=present,
        boolean=boolean,
        integer=integer,
        string=string,
        listing=listing,
        dictionary=dictionary,
    )
    if not any(asked.values()):
        raise InvocationError("Missing required argument text.")
    checks = [(key, kind) for word, kind in _PILLAR_TYPES.items() for key in _as_keys(asked[word])]
    faults = [(key, kind, _pillar_fault(key, kind)) for key, kind in checks]
    comment = "".join(f'Pillar key "{key}" {text}.\n' for key, _, text in faults if text)
    # A key requested with several types is listed once, with the last of them.
    fine = {key: kind for key, kind, text in faults if not text}
    if verbose and fine:
        comment += "Those keys passed the check:\n"
        comment += "".join(f"- {key} ({kind})\n" for key, kind in fine.items())
    return outcome(name, not any(text for _, _, text in faults), comment)


def _pillar_fault(key: str, kind: type | tuple[type, ...] | None) -> str:
    value = call("pillar.get", key, None)
    if value is None:
        return "is missing"
    return f"is not {kind}" if kind is not None and not isinstance(value, kind) else ""


def _as_keys(keys: Any) -> list[str]:
    if isinstance(keys, str):
        return [keys]
    if keys and not isinstance(keys, list):
        raise TypeError(f"pillar keys have to be a text or a list, not {keys!r}")
    return keys or []


def _chosen(option: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() == "random":
        return random.choice((True, False))
    raise InvocationError(
        f"You have specified the state option '{option}' with invalid arguments. "
        "It must be either True, False, or 'Random'"
    )


def _as_warnings(warnings: Any) -> list[str]:
    if isinstance(warnings, str):
        return [warnings]
    if isinstance(warnings, list):
        return warnings
    raise InvocationError(
        "You have specified the state option 'warnings' with invalid arguments. "
        "It must be a string or a list of strings"
    )
