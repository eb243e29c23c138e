"""What events are called.

Why its own file: a tag is written once and matched in many places; the command line, which
loads little, needs them as well.
Source: wire specification, section 11.5; stock's tags.
"""

from __future__ import annotations

AUTH = "salt/auth"
KEY = "salt/key"
#: An invitation has let a minion in.
KEY_INVITED = "salt/key/invited"
#: The key of publications was replaced; no `salt/` in front, as in stock.
KEY_ROTATED = "key"
PRESENT = "salt/presence/present"
RESOURCES_REFUSED = "salt/resource/refused"
PRESENCE_CHANGE = "salt/presence/change"
#: The older name of `minion_start(id)`.
MINION_START = "minion_start"
MINION_PING = "minion_ping"


def job(jid: str) -> str:
    """Everything about one job begins with this."""
    return f"salt/job/{jid}"


def job_new(jid: str) -> str:
    """A job was taken on; nobody has got it yet."""
    return f"salt/job/{jid}/new"


def job_publish(jid: str) -> str:
    """A job goes out, as minions see it."""
    return f"salt/job/{jid}/publish"


def job_return(jid: str, id: str) -> str:
    """A minion has returned."""
    return f"salt/job/{jid}/ret/{id}"


def job_progress(jid: str, id: str, number: int) -> str:
    """A minion has run the state with this number."""
    return f"salt/job/{jid}/prog/{id}/{number}"


def job_start(jid: str, id: str) -> str:
    """A minion begins to run a job that asked to hear of it."""
    return f"salt/job/{jid}/start/{id}"


def job_error(jid: str) -> str:
    """A job was refused."""
    return f"salt/job/{jid}/error"


def job_failed_state(jid: str, id: str, fun: str) -> str:
    """A state of a job has failed on a minion."""
    return f"salt/job/{jid}/sub/{id}/error/{fun}"


def state_result(jid: str, id: str, name: str) -> str:
    """The result of a state with `fire_event`."""
    return f"salt/state_result/{jid}/{id}/{name}"


def minion_start(id: str) -> str:
    """A minion is connected and ready."""
    return f"salt/minion/{id}/start"


def syndic_start(id: str) -> str:
    """A syndic is connected and ready."""
    return f"salt/syndic/{id}/start"


def beacon(id: str, name: str, rest: str = "") -> str:
    """A beacon of a minion has something to say."""
    return f"salt/beacon/{id}/{name}/{rest}"


def minion_refresh(id: str) -> str:
    """The master has new grains of a minion."""
    return f"minion/refresh/{id}"


def resource_refresh(id: str) -> str:
    """The master has new grains of a minion's resources."""
    return f"resource/refresh/{id}"


def resource(srn: str, act: str) -> str:
    """A resource was added, removed or moved."""
    return f"salt/resource/{srn}/{act}"


def run(jid: str, moment: str = "") -> str:
    """A runner: `new`, `ret`, or what it says meanwhile; '' is the beginning of all of them."""
    return f"salt/run/{jid}/{moment}" if moment else f"salt/run/{jid}"


def wheel(jid: str, moment: str = "") -> str:
    """A wheel function: `new`, `ret`; '' is the beginning of both."""
    return f"salt/wheel/{jid}/{moment}" if moment else f"salt/wheel/{jid}"


def batch(jid: str, moment: str) -> str:
    """A batch: `new`, `progress`, `complete`, `halted`, `recover`, `stop`."""
    return f"salt/batch/{jid}/{moment}"


def cloud(name: str, moment: str) -> str:
    """A machine in a cloud: `creating`, `created`, `destroyed`, ...."""
    return f"salt/cloud/{name}/{moment}"


def fileserver_update(backend: str) -> str:
    """Files of a backend have changed."""
    return f"salt/fileserver/{backend}/update"


def queue_process(queue: str) -> str:
    """A queue is to be worked off."""
    return f"salt/queue/{queue}/process"


def stats(worker: str) -> str:
    """Figures of the master's work."""
    return f"salt/stats/{worker}"
