"""`salt.function`: an execution function run on minions."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import SaltGError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome, would_change
from salt_g.states.saltmod._minions import fire_arguments, forgiven, jid_of, request_for, returned


def function(
    name: str, tgt: Any, ssh: bool = False, tgt_type: str = "glob", ret: Any = "", ret_config: Any = None,
    ret_kwargs: Any = None, expect_minions: bool = False, fail_minions: Any = None,
    fail_function: str | None = None, arg: Any = None, kwarg: dict[str, Any] | None = None,
    timeout: float | None = None, batch: Any = None, subset: int | None = None,
    failhard: bool | None = None, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Run the function `name` with `arg` (a list) and `kwarg` (a mapping) on the minions targeted by `tgt`.

    `fail_minions` lists minions that may fail, but not with a nonzero exit code. `fail_function` names an
    execution function that receives each return and returns whether it is a success. `batch` limits how many
    minions run at once, `subset` how many run at all.

    Example::

        cmd.run:
          salt.function:
            - tgt: 'web*'
            - arg: ['uptime']
    """
    may_fail, warnings = forgiven(fail_minions)
    if isinstance(arg, str):
        warnings.insert(0, "Please specify 'arg' as a list of arguments.")
        arg = arg.split()
    extra: dict[str, Any] = {"warnings": warnings} if warnings else {}
    if opts.get("test") is True:
        return would_change(name, f"Function {name} would be executed on target {tgt}", **extra)
    request = request_for(locals(), arg=arg or [], kwarg=kwarg or {})
    fire_arguments({"type": "function", "tgt": tgt, "name": name, "args": request})
    try:
        answers: dict[str, dict[str, Any]] = call("saltutil.cmd", tgt, name, **request)
    except SaltGError as exc:
        return failed(name, str(exc), **extra)
    if not answers:
        return failed(name, "No minions responded", **extra)
    bad = [id for id, answer in answers.items() if not _is_good(id, answer, may_fail, fail_function)]
    return _state_return(name, answers, bad, {**extra, **jid_of(answers)})


def _is_good(id: str, answer: dict[str, Any], may_fail: list[str], fail_function: str | None) -> bool:
    if answer.get("retcode"):
        return False
    is_there, value = returned(answer)
    if answer.get("failed") or not is_there or value is False:
        return id in may_fail
    return not fail_function or bool(call(fail_function, value)) or id in may_fail


def _state_return(
    name: str, answers: dict[str, dict[str, Any]], bad: list[str], extra: dict[str, Any]
) -> StateReturn:
    changes = {id: False if answer.get("failed") else returned(answer)[1] for id, answer in answers.items()}
    ran_on = f"Function {name} ran on {', '.join(changes)}."
    if bad:
        comment = f"Running function {name} failed on minions: {', '.join(bad)} {ran_on}"
        return failed(name, comment, {"ret": changes}, **extra)
    return outcome(name, True, f"Function ran successfully. {ran_on}", {"ret": changes}, **extra)
