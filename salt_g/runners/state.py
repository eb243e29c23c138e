"""Orchestration (states run on the master), pausing and ending of orchestrations, bus events."""

from __future__ import annotations

from typing import Any

from salt_g import api
from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.regex.name_patterns import matches_name
from salt_g.report.event_lines import event_line
from salt_g.report.run_verdict import succeeded
from salt_g.services.daemons import MasterServices
from salt_g.shapes import Arguments, PillarDict
from salt_g.shapes.loads import EventData


def orchestrate(
    mods: Any,
    saltenv: str | None = "base",
    test: bool | None = None,
    exclude: Any = None,
    pillar: PillarDict | None = None,
    pillarenv: str | None = None,
    pillar_enc: str | None = None,
    orchestration_jid: str | None = None,
) -> dict[str, Any]:
    """Run SLS on the master, with its files, pillar and grains.

    `salt.state` and similar states act on minions. Returns {data: {id of the master: running dict},
    outputter, retcode}.

    Example::

        salt-g run state.orchestrate webserver pillar='{"release": 3}'
    """
    _check(pillar)
    running = api.call(
        "state.sls",
        mods,
        test,
        exclude,
        saltenv=saltenv or opts.get("saltenv"),
        pillar=pillar,
        pillarenv=pillarenv or opts.get("pillarenv"),
        pillar_enc=pillar_enc,
        orchestration_jid=orchestration_jid or api.current().job.get("jid"),
        # Orchestrations run concurrently because they mostly wait for minions.
        concurrent=True,
    )
    data = {opts["id"]: running}
    return {"data": data, "outputter": "highstate", "retcode": 0 if succeeded(data) else 1}


#: Short name of `state.orchestrate`.
orch = orchestrate
#: Old name of `state.orchestrate`.
sls = orchestrate


def orchestrate_single(
    fun: str,
    name: str,
    test: bool | None = None,
    queue: bool = False,
    pillar: PillarDict | None = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Run one state function on the master.

    Example::

        salt-g run state.orchestrate_single fun=salt.wheel name=key.list_all
    """
    _check(pillar)
    keywords = {**api.own_arguments(kwargs), **({} if pillar is None else {"pillar": pillar})}
    return _published(api.call("state.single", fun, name, test, queue, concurrent=True, **keywords))


def orchestrate_high(
    data: EventData,
    test: bool | None = None,
    queue: bool = False,
    pillar: PillarDict | None = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Run high data on the master.

    Example::

        salt-g run state.orchestrate_high '{one: {salt.function: [{tgt: "*"}, {name: test.ping}]}}'
    """
    _check(pillar)
    keywords = {**api.own_arguments(kwargs), **({} if pillar is None else {"pillar": pillar})}
    return _published(api.call("state.high", data, test, queue, concurrent=True, **keywords))


def orchestrate_show_sls(
    mods: Any,
    saltenv: str | None = "base",
    test: bool | None = None,
    queue: bool = False,
    pillar: PillarDict | None = None,
    pillarenv: str | None = None,
    pillar_enc: str | None = None,
) -> dict[str, Any]:
    """Return the high data of SLS as the master would run it.

    Example::

        salt-g run state.orchestrate_show_sls webserver
    """
    _check(pillar)
    keywords = {"pillar": pillar, "pillarenv": pillarenv, "pillar_enc": pillar_enc, "saltenv": saltenv}
    return {opts["id"]: api.call("state.show_sls", mods, test, queue, concurrent=True, **keywords)}


#: Short name of `state.orchestrate_show_sls`.
orch_show_sls = orchestrate_show_sls


def graph(
    mods: Any,
    tgt: Any = None,
    tgt_type: str = "glob",
    saltenv: str = "base",
    test: bool | None = None,
    pillar: PillarDict | None = None,
    pillarenv: str | None = None,
    pillar_enc: str | None = None,
    timeout: float | None = None,
) -> Any:
    """Return the dependency graph of SLS as DOT text, for the master or the targeted minions.

    Example::

        salt-g run state.graph webserver --out=newline_values_only | dot -Tpng -o web.png
    """
    _check(pillar)
    keywords = {"test": test, "pillar": pillar, "pillarenv": pillarenv, "pillar_enc": pillar_enc}
    if tgt:
        return _on_minions(tgt, tgt_type, "state.graph", [mods], {**keywords, "saltenv": saltenv}, timeout)
    return api.call("state.graph", mods, concurrent=True, **keywords)


def graph_highstate(
    tgt: Any = None,
    tgt_type: str = "glob",
    pillar: PillarDict | None = None,
    pillarenv: str | None = None,
    pillar_enc: str | None = None,
    timeout: float | None = None,
) -> Any:
    """Return the dependency graph of the highstate as DOT text, as `state.graph` does.

    Example::

        salt-g run state.graph_highstate tgt=web1
    """
    _check(pillar)
    keywords = {"pillar": pillar, "pillarenv": pillarenv, "pillar_enc": pillar_enc}
    if tgt:
        return _on_minions(tgt, tgt_type, "state.graph_highstate", [], keywords, timeout)
    return api.call("state.graph_highstate", concurrent=True, **keywords)


def pause(jid: str, state_id: str | None = None, duration: int | None = None) -> None:
    """Pause an orchestration before a state ID (the next one when None), for `duration` seconds if given.

    Example::

        salt-g run state.pause 20260101120000000000 deploy 60
    """
    api.call("state.pause", jid, state_id, duration)


#: Alias of `state.pause`.
set_pause = pause


def resume(jid: str, state_id: str | None = None) -> None:
    """Resume a paused orchestration.

    Example::

        salt-g run state.resume 20260101120000000000
    """
    api.call("state.resume", jid, state_id)


#: Alias of `state.resume`.
rm_pause = resume


def soft_kill(jid: str, state_id: str | None = None) -> None:
    """End an orchestration before a state ID (the next one when None).

    Example::

        salt-g run state.soft_kill 20260101120000000000
    """
    api.call("state.soft_kill", jid, state_id)


def event(
    tagmatch: str = "*",
    count: int = -1,
    quiet: bool = False,
    sock_dir: str | None = None,
    pretty: bool = False,
    node: str = "master",
) -> None:
    """Print events that match `tagmatch` as `TAG<tab>JSON`, until there were `count` of them.

    `tagmatch` is a glob or a regular expression; `quiet` only waits; `pretty` spreads the JSON
    over lines. Only the bus of the master (`node`) is followed.

    Example::

        salt-g run state.event 'salt/minion/*/start' count=1
    """
    if node != "master":
        raise CommandExecutionError("follow the bus of a minion with salt-g call state.event")
    own = f"salt/run/{api.current().job.get('jid')}/"
    with services(MasterServices).events.watch() as watching:
        while count != 0:
            found = watching.get()
            # The output of this runner is also an event, which must not be printed again.
            if found is None or found.tag.startswith(own) or not matches_name(found.tag, tagmatch):
                continue
            if not quiet:
                services(MasterServices).progress.write(event_line(found.tag, found.data, pretty=pretty))
            count -= 1 if count > 0 else 0


def _check(pillar: Any) -> None:
    if pillar is not None and not isinstance(pillar, dict):
        raise InvocationError("Pillar data must be formatted as a dictionary")


def _published(running: Any) -> dict[str, Any]:
    """Return {id of the master: running dict}, and send it to clients before the run is over."""
    found = {opts["id"]: running}
    services(MasterServices).progress.fire({"data": found, "outputter": "highstate"})
    return found


def _on_minions(
    tgt: Any, tgt_type: str, fun: str, arg: list[Any], kwarg: Arguments, timeout: float | None
) -> Any:
    limit = timeout or opts["timeout"]
    return services(MasterServices).client.cmd(tgt, fun, arg, kwarg=kwarg, tgt_type=tgt_type, timeout=limit)
