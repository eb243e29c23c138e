"""Use of the master from a call that runs on it: publishing jobs, running runners and wheel functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from salt_g.api import SSH_SETTINGS, current, is_ssh_setting, opts, own_arguments, services, use
from salt_g.errors import CommandExecutionError
from salt_g.shapes import MasterCall

_NO_MASTER = "This command can only be executed on a minion that is located on the master."
#: Runners whose state runs belong to the orchestration that calls them.
_ORCHESTRATIONS = ("state.orchestrate", "state.orch", "state.sls")


def cmd(
    tgt: Any,
    fun: str,
    arg: Any = (),
    timeout: float | None = None,
    tgt_type: str = "glob",
    ret: Any = "",
    kwarg: dict[str, Any] | None = None,
    ssh: bool = False,
    batch: Any = False,
    subset: Any = False,
    **kwargs: Any,
) -> dict[str, Any]:
    """Run a function on the targeted minions and return {id: {ret, retcode, jid, ...}}.

    `batch` (a number or `10%`) limits how many minions run it at once, and the result is {id: {ret, out}};
    `subset` selects this many minions at random. With `ssh` the function runs on hosts of a roster, without a
    minion, and each answer has `return` in place of `ret`; `roster`, `roster_file` and settings of salt-g ssh
    (`ssh_user`) are then accepted too.

    Example::

        salt-g saltutil.cmd 'web*' test.ping
    """
    if ssh:
        return _on_hosts(tgt, fun, arg, timeout, tgt_type, kwarg, kwargs)
    client = _service("client")
    asked = {"tgt": tgt, "fun": fun, "arg": arg, "timeout": timeout, "tgt_type": tgt_type}
    asked.update(ret=ret, kwarg=kwarg, **own_arguments(kwargs))
    if batch:
        return _of_batch(client.cmd_batch(batch=batch, **asked))
    if subset:
        return _joined(client.cmd_subset(subset=subset, cli=True, **asked))
    return _joined(client.cmd_iter(**asked))


def cmd_iter(
    tgt: Any,
    fun: str,
    arg: Any = (),
    timeout: float | None = None,
    tgt_type: str = "glob",
    ret: Any = "",
    kwarg: dict[str, Any] | None = None,
    ssh: bool = False,
    **kwargs: Any,
) -> Iterator[dict[str, Any]]:
    """Run a function on the targeted minions and yield {id: {ret, retcode, ...}} as each return arrives.

    For the arguments see `saltutil.cmd`.

    Example::

        salt-g saltutil.cmd_iter 'web*' test.ping
    """
    if ssh:
        for id, answer in _on_hosts(tgt, fun, arg, timeout, tgt_type, kwarg, kwargs).items():
            yield {id: answer}
        return
    yield from _service("client").cmd_iter(
        tgt, fun, arg, timeout, tgt_type, ret, kwarg, **own_arguments(kwargs)
    )


def runner(
    name: str,
    arg: Any = None,
    kwarg: dict[str, Any] | None = None,
    full_return: bool = False,
    saltenv: str = "base",
    jid: str | None = None,
    **kwargs: Any,
) -> Any:
    """Run a runner function on the master; `full_return` returns {fun, jid, user, return, success, ...}.

    Example::

        salt-g saltutil.runner jobs.list_jobs
    """
    calls = _service("calls")
    jid = kwargs.pop("__orchestration_jid__", jid)
    saltenv = kwargs.pop("__env__", saltenv)
    user = kwargs.pop("__pub_user", None) or current().job.get("user", "UNKNOWN")
    arguments, keywords = list(arg or []), {**(kwarg or {}), **own_arguments(kwargs)}
    if _takes(current().table("runners").get(name), "saltenv"):
        keywords["saltenv"] = saltenv
    if jid and name in _ORCHESTRATIONS:
        keywords["orchestration_jid"] = jid
    _fire_progress(jid, {"type": "runner", "name": name, "args": arguments, "kwargs": keywords})
    result = calls.outcome(MasterCall("runner", name, arguments, keywords, user))
    return result if full_return else result["return"]


def wheel(name: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Run a wheel function on the master and return {fun, jid, user, return, success}.

    Example::

        salt-g saltutil.wheel key.accept jerry
    """
    calls = _service("calls")
    jid, saltenv = kwargs.pop("__orchestration_jid__", None), kwargs.pop("__env__", "base")
    user = kwargs.pop("__pub_user", None) or current().job.get("user", "UNKNOWN")
    keywords = own_arguments(kwargs)
    if _takes(current().table("wheel").get(name), "saltenv"):
        keywords["saltenv"] = saltenv
    _fire_progress(jid, {"type": "wheel", "name": name, "args": keywords})
    result: dict[str, Any] = calls.outcome(MasterCall("wheel", name, list(args), keywords, user))
    return result


def _on_hosts(
    tgt: Any,
    fun: str,
    arg: Any,
    timeout: float | None,
    tgt_type: str,
    kwarg: dict[str, Any] | None,
    options: dict[str, Any],
) -> dict[str, Any]:
    """Call the runner `ssh.cmd` for hosts of a roster, without the options that only minions have."""
    if opts.get("__role") != "master":
        raise CommandExecutionError(_NO_MASTER)
    run = current().table("runners")["ssh.cmd"]
    given = {name: value for name, value in own_arguments(options).items() if is_ssh_setting(name)}
    with use(current().with_opts(**{SSH_SETTINGS: given})):
        found: dict[str, Any] = run(tgt, fun, arg, timeout, tgt_type, kwarg)
    return found


def _service(name: str) -> Any:
    """Return a service of the master; raise CommandExecutionError outside of a master."""
    service = getattr(services(), name, None)
    if service is None:
        raise CommandExecutionError(_NO_MASTER)
    return service


def _joined(answers: Iterator[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for answer in answers:
        found.update(answer or {})
    return found


def _of_batch(answers: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """Return a batch's result, {id: return}, in the form of a plain publication."""
    return {
        id: {"out": value.get("out", "highstate") if isinstance(value, dict) else "highstate", "ret": value}
        for id, value in _joined(answers).items()
    }


def _takes(function: Any, name: str) -> bool:
    code = getattr(function, "__code__", None)
    return code is not None and name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _fire_progress(jid: str | None, result: dict[str, Any]) -> None:
    """Fire the event that announces the next call of an orchestration."""
    if jid:
        services().events.fire(f"salt/run/{jid}/args", result)
