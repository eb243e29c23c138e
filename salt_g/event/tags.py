"""Tags of events.

A tag is written once and matched in many places, including the command line, which imports little.
Source: wire specification, section 11.5; stock's tags.
"""

from __future__ import annotations

AUTH = "salt/auth"
KEY = "salt/key"
#: A minion was admitted by an invitation.
KEY_INVITED = "salt/key/invited"
#: The publish key was rotated; like stock's tag, without `salt/` in front.
KEY_ROTATED = "key"
PRESENT = "salt/presence/present"
RESOURCES_REFUSED = "salt/resource/refused"
PRESENCE_CHANGE = "salt/presence/change"
#: The older name of `minion_start(id)`.
MINION_START = "minion_start"
MINION_PING = "minion_ping"
#: Prefix of the tags that the HTTP API fires for requests from outside.
NETAPI = "salt/netapi/"


def job(jid: str) -> str:
    """Return the common prefix of all tags of a job."""
    return f"salt/job/{jid}"


def job_new(jid: str) -> str:
    """Return the tag of a job accepted but not published yet."""
    return f"salt/job/{jid}/new"


def job_publish(jid: str) -> str:
    """Return the tag of a job's publication, as minions see it."""
    return f"salt/job/{jid}/publish"


def job_return(jid: str, id: str) -> str:
    """Return the tag of a minion's return."""
    return f"salt/job/{jid}/ret/{id}"


def job_progress(jid: str, id: str, number: int) -> str:
    """Return the tag of a minion's progress: the state with this number has run."""
    return f"salt/job/{jid}/prog/{id}/{number}"


def job_step(jid: str, id: str) -> str:
    """Return the tag of the live steps of a minion's state run."""
    return f"salt/job/{jid}/step/{id}"


def is_step(tag: str) -> bool:
    """Return whether an event with this tag has live steps."""
    parts = tag.split("/", 4)
    return len(parts) == 5 and parts[3] == "step" and parts[:2] == ["salt", "job"]


def job_start(jid: str, id: str) -> str:
    """Return the tag of the start of a job that requested such an event."""
    return f"salt/job/{jid}/start/{id}"


def job_error(jid: str) -> str:
    """Return the tag of a refused job."""
    return f"salt/job/{jid}/error"


def job_failed_state(jid: str, id: str, fun: str) -> str:
    """Return the tag of a job's failed state on a minion."""
    return f"salt/job/{jid}/sub/{id}/error/{fun}"


def state_result(jid: str, id: str, name: str) -> str:
    """Return the tag of the result of a state with `fire_event`."""
    return f"salt/state_result/{jid}/{id}/{name}"


def minion_start(id: str) -> str:
    """Return the tag of a minion that is connected and ready."""
    return f"salt/minion/{id}/start"


def syndic_start(id: str) -> str:
    """Return the tag of a syndic that is connected and ready."""
    return f"salt/syndic/{id}/start"


def beacon(id: str, name: str, rest: str = "") -> str:
    """Return the tag of a beacon's event."""
    return f"salt/beacon/{id}/{name}/{rest}"


def minion_refresh(id: str) -> str:
    """Return the tag of a minion's new grains on the master."""
    return f"minion/refresh/{id}"


def resource_refresh(id: str) -> str:
    """Return the tag of new grains of a minion's resources on the master."""
    return f"resource/refresh/{id}"


def resource(srn: str, act: str) -> str:
    """Return the tag of a resource added, removed or moved."""
    return f"salt/resource/{srn}/{act}"


def run(jid: str, moment: str = "") -> str:
    """Return the tag of a runner: `new`, `ret`, or its progress; '' is the common prefix."""
    return f"salt/run/{jid}/{moment}" if moment else f"salt/run/{jid}"


def wheel(jid: str, moment: str = "") -> str:
    """Return the tag of a wheel function: `new` or `ret`; '' is the common prefix."""
    return f"salt/wheel/{jid}/{moment}" if moment else f"salt/wheel/{jid}"


def batch(jid: str, moment: str) -> str:
    """Return the tag of a batch: `new`, `progress`, `complete`, `halted`, `left`, `recover`, `stop`."""
    return f"salt/batch/{jid}/{moment}"


def rollout(jid: str, moment: str = "") -> str:
    """Return the tag of a rollout: `new`, `wave`, `paused`, `resumed`, `stopped`, `undone`, `end`."""
    return f"salt/rollout/{jid}/{moment}" if moment else f"salt/rollout/{jid}"


def mail(order: str, moment: str) -> str:
    """Return the tag of an order in the mailbox: `kept`, `delivered`, `expired`, `refused`, `dropped`."""
    return f"salt/mailbox/{order}/{moment}"


def cloud(name: str, moment: str) -> str:
    """Return the tag of a cloud machine: `creating`, `created`, `destroyed`, ...."""
    return f"salt/cloud/{name}/{moment}"


def fileserver_update(backend: str) -> str:
    """Return the tag of changed files in a backend."""
    return f"salt/fileserver/{backend}/update"


def ref_refused(backend: str) -> str:
    """Return the tag of a branch or tag that signed trees do not allow to advance."""
    return f"salt/fileserver/{backend}/refused"


def queue_process(queue: str) -> str:
    """Return the tag that starts processing of a queue."""
    return f"salt/queue/{queue}/process"


def stats(worker: str) -> str:
    """Return the tag of the master's metrics."""
    return f"salt/stats/{worker}"
