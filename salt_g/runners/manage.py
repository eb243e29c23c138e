"""Presence and versions of minions, and clean-up of lost ones."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from typing import Any

import salt_g
from salt_g.api import opts, services
from salt_g.data.version_conditions import numbers
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import Answers

#: Labels of `manage.versions` for minions older than, equal to or newer than the master.
_LABELS = {-1: "Minion requires update", 0: "Up to date", 1: "Minion newer than master"}
_OFFLINE = "Minion offline"
#: Lowest version number of Salt's releases; the version numbers of salt-g are far lower.
_FIRST_SALT_RELEASE = 2014
_REGENERATED = """\
The minion and master keys have been deleted.  Restart the Salt
Master within the next 60 seconds!!!

Wait for the minions to reconnect.  Once the minions reconnect
the new keys will appear in pending and will need to be re-
accepted by running:
    salt-g key -A

Be advised that minions not currently connected to the master
will not be able to reconnect and may require manual
regeneration via a local call to
    salt-g call saltutil.regen_keys"""


def status(
    output: bool = True,
    tgt: Any = "*",
    tgt_type: str = "glob",
    timeout: float | None = None,
    gather_job_timeout: float | None = None,
) -> dict[str, list[str]]:
    """Return {up: [id], down: [id]}: minions that respond to `test.ping` and minions that do not.

    Example::

        salt-g run manage.status tgt=webservers tgt_type=nodegroup
    """
    answered, silent = _ping(
        tgt, tgt_type, timeout or opts["timeout"], gather_job_timeout or opts["gather_job_timeout"]
    )
    return {"up": answered, "down": silent}


def up(
    tgt: Any = "*",
    tgt_type: str = "glob",
    timeout: float | None = None,
    gather_job_timeout: float | None = None,
) -> list[str]:
    """Return the minions that answer `test.ping`.

    Example::

        salt-g run manage.up timeout=5
    """
    return status(tgt=tgt, tgt_type=tgt_type, timeout=timeout, gather_job_timeout=gather_job_timeout)["up"]


def down(
    removekeys: bool = False,
    tgt: Any = "*",
    tgt_type: str = "glob",
    timeout: float | None = None,
    gather_job_timeout: float | None = None,
) -> list[str]:
    """Return the minions that do not respond to `test.ping`; with `removekeys` their keys are deleted.

    Example::

        salt-g run manage.down tgt='web*'
    """
    silent = status(tgt=tgt, tgt_type=tgt_type, timeout=timeout, gather_job_timeout=gather_job_timeout)[
        "down"
    ]
    if removekeys and silent:
        services(MasterServices).keys.delete({"minions": silent})
    return silent


def versions() -> Answers:
    """Return {Master: version, label: {id: version}}: minions older, equal or newer, and those offline.

    A minion of stock Salt is compared with the release whose behaviour this master follows.

    Example::

        salt-g run manage.versions
    """
    # A list, because resources are not minions.
    ids = services(MasterServices).targets.resolve("*").minions
    answers = services(MasterServices).client.cmd(
        ids, "test.version", tgt_type="list", full_return=True, timeout=opts["timeout"]
    )
    found: dict[str, Any] = {"Master": salt_g.__version__}
    for id in sorted(answers):
        answer = answers[id]
        if not isinstance(answer, dict) or answer.get("retcode") or "ret" not in answer:
            found.setdefault(_OFFLINE, {})[id] = False
        else:
            label = _LABELS[_compare(str(answer["ret"]))]
            found.setdefault(label, {})[id] = answer["ret"]
    return found


def list_state(subset: Collection[str] | None = None, show_ip: bool = False) -> Any:
    """Return the connected minions without querying them; with `show_ip` {id: address}.

    Example::

        salt-g run manage.list_state
    """
    connected = services(MasterServices).presence.connected()
    chosen = sorted(id for id in connected if subset is None or id in subset)
    if not show_ip:
        return chosen
    addresses = services(MasterServices).presence.addresses()
    return {id: addresses.get(id, "") for id in chosen}


def list_not_state(subset: Collection[str] | None = None, show_ip: bool = False) -> list[str]:
    """Return the minions with an accepted key that are not connected.

    Example::

        salt-g run manage.list_not_state
    """
    absent = services(MasterServices).keys.accepted() - services(MasterServices).presence.connected()
    return sorted(id for id in absent if subset is None or id in subset)


def _named(name: str, function: Any, what: str) -> Any:
    """Return `list_state` or `list_not_state` under another of stock's names."""

    def listed(subset: Collection[str] | None = None, show_ip: bool = False) -> Any:
        return function(subset=subset, show_ip=show_ip)

    listed.__name__ = listed.__qualname__ = name
    listed.__doc__ = (
        f"Return the minions that are {what}; `subset` limits the result to some ids.\n\n"
        f"    Example::\n\n        salt-g run manage.{name}\n    "
    )
    return listed


# In stock these functions differ only for other transports; over ZeroMQ all of them mean "connected".
present = _named("present", list_state, "connected")
joined = _named("joined", list_state, "connected")
allowed = _named("allowed", list_state, "connected")
alived = _named("alived", list_state, "connected")
reaped = _named("reaped", list_state, "connected")
not_present = _named("not_present", list_not_state, "not connected")
not_joined = _named("not_joined", list_not_state, "not connected")
not_allowed = _named("not_allowed", list_not_state, "not connected")
not_alived = _named("not_alived", list_not_state, "not connected")
not_reaped = _named("not_reaped", list_not_state, "not connected")


def key_regen() -> str:
    """Delete the keys of all minions and of the master, which must be restarted within 60 seconds.

    Example::

        salt-g run manage.key_regen
    """
    services(MasterServices).client.cmd("*", "saltutil.regen_keys")
    for parent, _, names in os.walk(opts["pki_dir"]):
        for name in names:
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(parent, name))
    return _REGENERATED


def _ping(tgt: Any, tgt_type: str, timeout: float, gather_job_timeout: float) -> tuple[list[str], list[str]]:
    """Return (minions that answered, minions that did not)."""
    client = services(MasterServices).client
    # A list, because resources are not minions.
    ids = services(MasterServices).targets.resolve(tgt, tgt_type).minions
    if not ids:
        return [], []
    published = client.run_job(ids, "test.ping", tgt_type="list", timeout=timeout, listen=True)
    jid = published.get("jid")
    if not jid:
        return [], []
    answered: set[str] = set()
    for returns in client.get_iter_returns(
        jid, published["minions"], timeout=timeout, gather_job_timeout=gather_job_timeout
    ):
        answered.update(id for id, ret in (returns or {}).items() if ret.get("out") != "no_return")
    return sorted(answered), sorted(set(published["minions"]) - answered)


def _compare(version: str) -> int:
    """Return -1, 0 or 1 for a version older than, equal to or newer than this master."""
    theirs = numbers(version)
    is_salt = bool(theirs) and theirs[0] >= _FIRST_SALT_RELEASE
    ours = numbers(salt_g.SALT_LEVEL if is_salt else salt_g.__version__)
    return (theirs > ours) - (theirs < ours)
