"""Publish request of a job, and the master's reply to it.

Pure functions, used by API, command line and batches.
Shapes: `publish_load(...)` is the clear command of the wire specification, section 10.2; `read_reply` returns
the published job in the answer.
Errors: TargetError for a nodegroup that does not exist; AuthenticationError, AuthorizationError, ClientError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.data import jid as jids
from salt_g.errors import AuthenticationError, AuthorizationError, ClientError, JobLocked, JobMalformed

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import Load

#: Printed if the target matches no minion; stock's text.
NO_MINIONS = "No minions matched the target. No command was sent, no jid was assigned."
_REFUSED = (
    "Failed to authenticate! This is most likely because this user is not permitted to execute commands, "
    "but there is a small possibility that a disk error occurred (check disk/inode usage)."
)


class KeptOrder(NamedTuple):
    """Order in the master's mailbox for minions that are away; `until` is in seconds since the epoch."""

    order: str
    minions: list[str]
    until: float


class Published(NamedTuple):
    """Published job; its jid is '' if all its minions are away and the job is only kept for them."""

    jid: str
    minions: list[str]
    kept: KeptOrder | None = None


class JobRequest(NamedTuple):
    """Function, arguments and target of a job."""

    tgt: Any
    fun: Any
    arg: Any = ()
    tgt_type: str = "glob"
    ret: str = ""
    jid: str = ""


def with_keywords(arg: Iterable[Any], kwarg: Mapping[str, Any] | None) -> list[Any]:
    """Return the arguments in wire form: keywords as a marked dict at the end, and job ids as text."""
    args = [str(one) if isinstance(one, int) and jids.is_jid(str(one)) else one for one in arg]
    return [*args, {"__kwarg__": True, **kwarg}] if kwarg else args


def publish_load(job: JobRequest, extra: Mapping[str, Any], *, opts: Opts, user: str, timeout: float) -> Load:
    """Return the publish command of a job; `extra` becomes its `kwargs`."""
    tgt, tgt_type = resolved(job.tgt, job.tgt_type, opts.get("nodegroups") or {})
    returners = ",".join(filter(None, (job.ret, opts.get("ext_job_cache"))))
    load = {
        "cmd": "publish",
        "tgt": tgt,
        "tgt_type": tgt_type,
        "fun": job.fun,
        "arg": job.arg,
        "ret": returners,
        "jid": job.jid,
        "user": user,
    }
    if extra:
        load["kwargs"] = dict(extra)
    if opts.get("order_masters"):
        load["to"] = timeout
    return load


def resolved(tgt: Any, tgt_type: str, nodegroups: Mapping[str, Any]) -> tuple[Any, str]:
    """Return (target, target type) with nodegroups expanded, because minions may not have them."""
    if tgt_type not in ("nodegroup", "compound"):
        return tgt, tgt_type
    words = [f"N@{tgt}"] if tgt_type == "nodegroup" else tgt.split() if isinstance(tgt, str) else list(tgt)
    if any(str(word).startswith("N@") for word in words):
        # Imported lazily: few targets name a nodegroup.
        from salt_g.match.nodegroups import expand_nodegroup

        words = [part for word in words for part in _expanded(str(word), nodegroups, expand_nodegroup)]
    return " ".join(map(str, words)), "compound"


def read_reply(reply: Any) -> Published | None:
    """Return the published job, or None if its target matches no minion.

    Raise AuthenticationError or AuthorizationError if the master refused the user, JobLocked if locks forbid
    the job, JobMalformed if the job is malformed, ClientError for other errors.
    """
    if isinstance(reply, str):
        raise ClientError(reply) if reply else AuthenticationError(_REFUSED)
    if not isinstance(reply, dict) or not reply:
        raise ClientError("malformed answer from the master to a publish request")
    load = reply.get("load")
    if isinstance(load, dict) and load.get("locked"):
        raise JobLocked(str(load["error"]))
    if isinstance(load, dict) and load.get("malformed"):
        raise JobMalformed(str(load["error"]))
    if reply.get("error"):
        raise error_of(reply["error"])
    if isinstance(load, dict) and load.get("order") and not load.get("error"):
        kept = KeptOrder(str(load["order"]), [str(id) for id in load["kept"]], float(load["until"]))
        return Published(str(load.get("jid") or ""), [str(id) for id in load["minions"]], kept)
    if not isinstance(load, dict) or not load.get("jid") or not load.get("minions"):
        if isinstance(load, dict) and load.get("error") and "jid" not in load:
            raise error_of(load["error"])
        return None
    return Published(str(load["jid"]), [str(id) for id in load["minions"]])


def error_of(error: Any) -> ClientError:
    """Return the exception for an error returned by a master."""
    if not isinstance(error, dict):
        return ClientError(str(error))
    name, message = str(error.get("name", "")), str(error.get("message", ""))
    if name.endswith("AuthenticationError"):
        return AuthenticationError(message)
    if name.endswith("AuthorizationError"):
        return AuthorizationError(message)
    return ClientError(message or name)


def _expanded(word: str, nodegroups: Mapping[str, Any], expand: Any) -> list[str]:
    if word.startswith("N@") and len(word) > 2:
        expanded: list[str] = expand(word[2:], nodegroups)
        return expanded
    return [word]
