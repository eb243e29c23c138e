"""Payloads of the events that a master fires, as in stock.

The shapes are a contract with reactors, scripts and the command line; most events of the master are built
here.
Shapes: a payload is (tag, data); the bus adds `_stamp`.
Source: wire specification, sections 5.5, 7.4, 9, 10 and 11.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.event import tags
from salt_g.shapes import LowTag, is_low_tag

if TYPE_CHECKING:
    from salt_g.shapes.loads import CallEvent, EventData, EventFields, JobLoad, LoadFields, ReturnLoad
    from salt_g.shapes.rollouts import RolloutState

#: Functions whose failed states get an event each.
STATE_RUNS = ("state.highstate", "state.sls")
#: Fields of a job in its `new` event.
_JOB = ("jid", "tgt_type", "tgt", "user", "fun", "arg")
#: Maximum number of a wave's failures that its event names.
_NAMED = 100


class Payload(NamedTuple):
    """An event without a timestamp."""

    tag: str
    data: EventFields


def auth(
    act: str, id: str, pub: str, *, result: bool, autosign_grains: Mapping[str, Any] | None = None
) -> Payload:
    """Return the event of a sign-in; `act` is accept, pend, reject, denied, full or error."""
    data: EventData = {"result": result, "act": act, "id": id, "pub": pub}
    return Payload(tags.AUTH, {**data, "autosign_grains": autosign_grains} if autosign_grains else data)


def key_changed(act: str, id: str, *, result: bool = True, pub: str = "") -> Payload:
    """Return the event of a key change: `act` is accepted, rejected or delete, `pub` the remaining key."""
    data: EventData = {"result": result, "act": act, "id": id}
    return Payload(tags.KEY, {**data, "pub": pub} if pub else data)


def key_invited(id: str, invitation: str, pub: str) -> Payload:
    """Return the event of a minion admitted by the invitation with this number."""
    return Payload(tags.KEY_INVITED, {"id": id, "invitation": invitation, "pub": pub})


def key_rotated() -> Payload:
    """Return the event of a rotation of the publish key."""
    return Payload(tags.KEY_ROTATED, {"rotate_aes_key": True})


def job_new(job: JobLoad, minions: Sequence[str], missing: Sequence[str] = ()) -> Payload:
    """Return the event of a new job; `job` is its load with `jid`, `minions` are expected to return."""
    load: Mapping[str, Any] = job
    shown = {field: load[field] for field in _JOB}
    return Payload(tags.job_new(job["jid"]), {**shown, "minions": list(minions), "missing": list(missing)})


def job_publish(job: JobLoad) -> Payload:
    """Return the event of a job's publication."""
    return Payload(tags.job_publish(job["jid"]), dict(job))


def job_return(load: ReturnLoad) -> Payload:
    """Return the event of a minion's return; `load` is what the minion sent, with the id of its session."""
    data: dict[str, Any] = dict(load)
    # The digests are for the history only.
    data.pop("low_digests", None)
    return Payload(tags.job_return(load["jid"], load["id"]), data)


def job_error(load: LoadFields, error: Mapping[str, Any]) -> Payload:
    """Return the event of a refused job; `error` is the error reply to its client."""
    return Payload(tags.job_error(load["jid"]), {**load, **error})


def mail(order: str, moment: str, minions: Sequence[str], **more: Any) -> Payload:
    """Return the event of a change to an order in the mailbox for some minions."""
    return Payload(tags.mail(order, moment), {"order": order, "minions": list(minions), **more})


def rollout(status: RolloutState, moment: str, number: int) -> Payload:
    """Return the event of a rollout's progress: its counts, and the wave with this number (from 0).

    At most a hundred failures of the wave are named.
    """
    names = ("jid", "function", "user", "state", "reached", "total", "untouched", "stopped", "undone")
    data: dict[str, Any] = {name: dict(status)[name] for name in names}
    data["waves"] = len(status["waves"])
    data["failed"] = sum(len(wave["failed"]) for wave in status["waves"])
    if number < len(status["waves"]):
        wave = status["waves"][number]
        about = {"number": number + 1, "size": wave["size"], "state": wave["state"], "done": wave["done"]}
        data["wave"] = {**about, "failed": dict(sorted(wave["failed"].items())[:_NAMED])}
    return Payload(tags.rollout(status["jid"], moment), data)


def failed_states(load: ReturnLoad) -> Iterator[Payload]:
    """Yield an event for each failed state of a return; stock's tools show them immediately."""
    fun, retcode = load.get("fun"), load.get("retcode")
    if not (fun and retcode):
        return
    for place, name in enumerate(fun if isinstance(fun, list) else [fun]):
        key = place if isinstance(retcode, list) else name
        code = _part(retcode, key) if isinstance(fun, list) else retcode
        if name in STATE_RUNS and code:
            running = _part(load.get("return"), key) if isinstance(fun, list) else load.get("return")
            yield from _failed(load, name, code, running)


def presence(present: Iterable[str], before: Iterable[str]) -> Iterator[Payload]:
    """Yield the event of newly present and lost minions, if any, and that of all present minions."""
    now, then = set(present), set(before)
    if now != then:
        yield Payload(tags.PRESENCE_CHANGE, {"new": sorted(now - then), "lost": sorted(then - now)})
    yield Payload(tags.PRESENT, {"present": sorted(now)})


def run_new(jid: str, fun: str, user: str, fun_args: Sequence[Any] = ()) -> Payload:
    """Return the event of a starting runner; in the event, `fun` has the prefix `runner.`."""
    return Payload(tags.run(jid, "new"), _call("runner", jid, fun, user, fun_args))


def run_return(
    jid: str, fun: str, user: str, value: Any, *, success: bool, fun_args: Sequence[Any] = ()
) -> Payload:
    """Return the event of a finished runner."""
    data = {**_call("runner", jid, fun, user, fun_args), "return": value, "success": success}
    return Payload(tags.run(jid, "ret"), data)


def wheel_new(jid: str, fun: str, user: str, fun_args: Sequence[Any] = ()) -> Payload:
    """Return the event of a starting wheel function."""
    return Payload(tags.wheel(jid, "new"), _call("wheel", jid, fun, user, fun_args))


def wheel_return(
    jid: str, fun: str, user: str, value: Any, *, success: bool, fun_args: Sequence[Any] = ()
) -> Payload:
    """Return the event of a finished wheel function."""
    data = {**_call("wheel", jid, fun, user, fun_args), "return": value, "success": success}
    return Payload(tags.wheel(jid, "ret"), data)


def minion_refreshed(id: str) -> Payload:
    """Return the event of a minion's new grains (`minion_data_cache_events`)."""
    return Payload(tags.minion_refresh(id), {"Minion data cache refresh": id})


def resources_refreshed(id: str) -> Payload:
    """Return the event of new grains of a minion's resources."""
    return Payload(tags.resource_refresh(id), {"Resource cache refresh": id})


def resource_changed(act: str, data: EventFields) -> Payload:
    """Return the event of a resource that was added, removed or moved to another minion (`act`)."""
    return Payload(tags.resource(str(data["srn"]), act), dict(data))


def resources_refused(id: str, refused: Mapping[str, str]) -> Payload:
    """Return the event of resources that a minion may not register; `refused` is {srn: reason}."""
    return Payload(tags.RESOURCES_REFUSED, {"minion": id, "refused": dict(refused)})


def files_changed(backend: str, *, added: Sequence[str], removed: Sequence[str], changed: bool) -> Payload:
    """Return the event of changed files in a backend (`fileserver_events`)."""
    files = {"changed": [], "removed": list(removed), "added": list(added)}
    return Payload(tags.fileserver_update(backend), {"changed": changed, "files": files, "backend": backend})


def ref_refused(backend: str, refused: Mapping[str, str]) -> Payload:
    """Return the event of a refused branch or tag: `remote`, `ref`, `commit`, `served`, `reason`."""
    return Payload(tags.ref_refused(backend), {"backend": backend, **refused})


def master_stats(worker: str, seconds: float, stats: Mapping[str, Any]) -> Payload:
    """Return the event of the master's metrics over the last `seconds` (`master_stats`)."""
    return Payload(tags.stats(worker), {"time": seconds, "worker": worker, "stats": dict(stats)})


def _call(client: str, jid: str, fun: str, user: str, fun_args: Sequence[Any]) -> CallEvent:
    return {"fun": f"{client}.{fun}", "jid": jid, "user": user, "fun_args": list(fun_args)}


def _part(whole: Any, key: Any) -> Any:
    """Return one function's part of the return of several functions, or None if the return is malformed."""
    try:
        return whole[key]
    except (LookupError, TypeError):
        return None


def _failed(load: ReturnLoad, fun: str, retcode: Any, running: Any) -> Iterator[Payload]:
    if not isinstance(running, dict):
        return
    for tag, result in running.items():
        if isinstance(result, dict) and result.get("result") is False and is_low_tag(tag):
            chunk = LowTag.parse(tag)
            data = {
                **result,
                "retcode": retcode,
                "jid": load["jid"],
                "id": load["id"],
                "success": False,
                "return": f"Error: {chunk.state}.{chunk.fun}",
                "fun": fun,
            }
            if "user" in load:
                data["user"] = load["user"]
            yield Payload(tags.job_failed_state(load["jid"], load["id"], fun), data)
