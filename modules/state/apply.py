"""State runs: a top file, SLS files, high data or a single call."""

from __future__ import annotations

import json
from typing import Any, cast

import salt_g.modules.state._running as _running
from salt_g import api
from salt_g.errors import InvocationError, PlanRefused
from salt_g.modules.state._options import RUN_OPTIONS, known_options, refuse_misspelt, without_test
from salt_g.modules.state._running import SLS_ENV, engine_options, run_states, set_retcode, split
from salt_g.modules.state.disabling import disabled_messages, is_highstate_disabled
from salt_g.shapes import LowChunk


def apply(mods: Any = None, **kwargs: Any) -> Any:
    """Run these SLS (`state.sls`), or the highstate if none are named (`state.highstate`).

    Common options: `test` (change nothing, report what would change), `pillar` (a mapping merged over this
    minion's pillar), `saltenv`, `pillarenv`, `exclude`, `queue` (wait for another run), `concurrent` (do not
    check for one), `mock` (call nothing), `terse` (drop unchanged states), `explain` (each state says what
    decided whether it ran), `force` (run despite errors in pillar). Returns the running dict, or a list of
    errors.

    Example::

        salt-g state.apply web,db test=True
    """
    return sls(mods, **kwargs) if mods else highstate(**kwargs)


def highstate(
    test: bool | None = None, queue: Any = None, state_events: bool | None = None, **kwargs: Any
) -> Any:
    """Run the states that the top file assigns to this minion.

    `exclude` and `whitelist` are SLS names (comma-separated or a list); `exclude` also takes
    `{'id': name}`. With `cache` the high data of the last run is used.

    Example::

        salt-g state.highstate test=True
    """
    if is_highstate_disabled():
        name = "Salt highstate run is disabled. To re-enable, run state.enable highstate"
        return {"name": name, "result": "False", "comment": "Disabled"}

    def work(engine: Any) -> Any:
        cached = _from_cache(engine, kwargs)
        if cached is not None:
            return cached
        return engine.apply_highstate(
            exclude=_excluded(kwargs.get("exclude")),
            whitelist=kwargs.get("whitelist"),
            cache_name=_cache_name(kwargs),
            **engine_options(kwargs),
        )

    return run_states(work, kwargs, test=test, queue=queue, state_events=state_events)


def sls(
    mods: Any,
    test: bool | None = None,
    exclude: Any = None,
    queue: Any = None,
    sync_mods: Any = None,
    state_events: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Run SLS files: a name, a comma-separated text or a list.

    `sync_mods` (True, or kinds such as `modules,states`) syncs users' plugins first.

    Example::

        salt-g state.sls web pillar='{"port": 8080}'
    """
    messages = disabled_messages(mods if isinstance(mods, list) else [mods])
    if messages:
        set_retcode(_running.COMPILE_ERROR)
        return messages

    def work(engine: Any) -> Any:
        _sync(sync_mods)
        cached = _from_cache(engine, kwargs)
        if cached is not None:
            return cached
        return engine.apply_sls(
            split(mods),
            exclude=_excluded(exclude),
            cache_name=_cache_name(kwargs),
            **engine_options(kwargs),
        )

    return run_states(work, kwargs, test=test, queue=queue, state_events=state_events, default_env=SLS_ENV)


def sls_id(
    id_: str,
    mods: Any,
    test: bool | None = None,
    queue: Any = None,
    state_events: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Run one ID of SLS files and its requisites, without listeners; `extend` and `exclude` are not applied.

    Raises InvocationError if no SLS has the ID.

    Example::

        salt-g state.sls_id nginx web
    """

    def work(engine: Any) -> Any:
        ret = engine.apply_id(id_, split(mods))
        if not ret:
            saltenv = api.opts.get("saltenv") or "base"
            raise InvocationError(
                f"No matches for ID '{id_}' found in SLS '{mods}' within saltenv '{saltenv}'"
            )
        return ret

    return run_states(work, kwargs, test=test, queue=queue, state_events=state_events, default_env=SLS_ENV)


def top(topfn: str, test: bool | None = None, queue: Any = None, **kwargs: Any) -> Any:
    """Run the highstate of another top file.

    Example::

        salt-g state.top reverse_top.sls
    """

    def work(engine: Any) -> Any:
        changes = {"state_top": topfn}
        if "saltenv" in kwargs:
            changes["state_top_saltenv"] = kwargs["saltenv"]
        with api.use(api.current().with_opts(**changes)):
            return engine.apply_highstate(exclude=_excluded(kwargs.get("exclude")), **engine_options(kwargs))

    return run_states(work, kwargs, test=test, queue=queue)


def single(fun: str, name: str, test: bool | None = None, queue: Any = None, **kwargs: Any) -> Any:
    """Run one state function; further keywords are its arguments.

    Example::

        salt-g state.single file.touch /tmp/here
    """
    module, dot, function = fun.partition(".")
    if not dot:
        set_retcode(_running.COMPILE_ERROR)
        return "Invalid function passed"
    # `force` is also an argument of many states, and is theirs here.
    own = {
        key: value
        for key, value in without_test(kwargs).items()
        if key == "force" or not (key in RUN_OPTIONS or key.startswith("__pub_"))
    }
    refuse_misspelt(module, own)
    options = known_options(kwargs)
    chunk = {**own, "state": module, "fun": function.partition(".")[0], "__id__": name, "name": name}
    return run_states(
        lambda engine: engine.apply_low(cast(LowChunk, chunk), **engine_options(options)),
        options,
        test=test,
        queue=queue,
    )


def low(data: dict[str, Any], queue: Any = None, **kwargs: Any) -> Any:
    """Run one low chunk; return the bare state return.

    As in stock, the exit code always indicates a failure.

    Example::

        salt-g state.low '{"state": "test", "fun": "nop", "name": "here"}'
    """
    ret = run_states(lambda engine: engine.apply_low(cast(LowChunk, dict(data))), kwargs, queue=queue)
    if not isinstance(ret, dict):
        return ret
    set_retcode(_running.FAILED)
    return next(iter(ret.values()))


def high(data: dict[str, Any], test: bool | None = None, queue: Any = None, **kwargs: Any) -> Any:
    """Run high data.

    Example::

        salt-g state.high '{"here": {"test": ["nop"]}}'
    """
    return run_states(
        lambda engine: engine.apply_high(data, **engine_options(kwargs)), kwargs, test=test, queue=queue
    )


def template(tem: str, queue: Any = None, **kwargs: Any) -> Any:
    """Run an SLS file of this machine; `.sls` is appended if it is missing.

    Example::

        salt-g state.template /srv/try.sls
    """
    path = tem if tem.endswith(".sls") else f"{tem}.sls"
    return run_states(
        lambda engine: engine.apply_template(path, **engine_options(kwargs)), kwargs, queue=queue
    )


def template_str(tem: str | dict[str, Any], queue: Any = None, **kwargs: Any) -> Any:
    """Run SLS text; it may not include, exclude or extend.

    On a command line, text in braces arrives as a mapping.

    Example::

        salt-g state.template_str '{here: {test.nop: []}}'
    """
    text = tem if isinstance(tem, str) else json.dumps(tem)
    return run_states(
        lambda engine: engine.apply_template_text(text, **engine_options(kwargs)), kwargs, queue=queue
    )


def test(*args: Any, **kwargs: Any) -> Any:
    """Run `state.apply` in test mode: change nothing, report what would change.

    Example::

        salt-g state.test web
    """
    return apply(*args, **{**without_test(kwargs), "test": True})


def orchestrate(
    mods: Any,
    saltenv: str = "base",
    test: bool | None = None,
    exclude: Any = None,
    pillar: dict[str, Any] | None = None,
    pillarenv: str | None = None,
) -> dict[str, Any]:
    """Run SLS as an orchestration on this machine; return {data: {id: running dict}, retcode, outputter}.

    Example::

        salt-g state.orchestrate deploy
    """
    options: dict[str, Any] = {"saltenv": saltenv, "pillar": pillar, "pillarenv": pillarenv}
    ret = sls(
        mods,
        test=test,
        exclude=exclude,
        **{key: value for key, value in options.items() if value is not None},
    )
    retcode = 0 if _running.succeeded(ret) else 1
    return {"data": {api.opts["id"]: ret}, "outputter": "highstate", "retcode": retcode}


def apply_plan(plan: str, accept_opaque: bool = False, queue: Any = None) -> Any:
    """Apply a plan exactly; nothing runs if anything has changed since it was made.

    `plan` is the file that `--save` wrote on this machine; a master applies the plans that it keeps by
    their ids (`salt-g plan apply ID`). Commands, whose changes no plan can predict, run only with
    `accept_opaque`. Returns the running dict, or a text that explains why nothing was done (retcode 3).

    Example::

        salt-g state.apply_plan web.plan
    """
    try:
        call, application = api.services().states.opened_plan(str(plan), accept_opaque=bool(accept_opaque))
    except PlanRefused as exc:
        set_retcode(_running.PLAN_REFUSED)
        return str(exc)
    functions = (apply, highstate, sls, sls_id, top)
    function = {f"state.{function.__name__}": function for function in functions}[call["fun"]]
    kwargs = {**without_test(call["kwargs"]), "test": True, _running.PLAN: application}
    if queue is not None:
        kwargs["queue"] = queue
    return function(*call["args"], **kwargs)


def _cache_name(options: dict[str, Any]) -> str:
    return str(options.get("cache_name", "highstate"))


def _from_cache(engine: Any, options: dict[str, Any]) -> Any:
    """Run the last run's high data if `cache` is set; return None without it or without such data."""
    if not options.get("cache"):
        return None
    return engine.apply_cached(_cache_name(options), **engine_options(options))


def _excluded(exclude: Any) -> list[Any]:
    return split(exclude) if exclude else []


def _sync(kinds: Any) -> None:
    if not kinds:
        return
    for kind in ["all"] if kinds is True else split(kinds):
        if api.has(f"saltutil.sync_{kind}"):
            api.call(f"saltutil.sync_{kind}", saltenv=api.opts.get("saltenv") or "base")
