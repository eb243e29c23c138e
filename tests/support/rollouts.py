"""What tests do with the rollouts of a real master."""

import collections
import json

from support.commands import outcome_of
from support.daemons import PROGRAM
from support.waiting import until


def rollout(master, *words):
    """Run `salt-g rollout`; return its Outcome."""
    return outcome_of([PROGRAM, "rollout", *map(str, words), "-c", str(master.config_dir)])


def status(master, jid, *words):
    """Return the status of a rollout."""
    return json.loads(rollout(master, "status", jid, *words, "--out=json").out)


def began(master, *words):
    """Start a rollout without waiting for it; return its jid."""
    started = outcome_of(
        [PROGRAM, "cmd", "-c", str(master.config_dir), *map(str, words), "--async", "--out=json"]
    )
    assert started.code == 0, started.err
    return json.loads(started.out)["jid"]


def ended(master, jid):
    """Wait for the end of a rollout; return its status."""
    return until(lambda: (found := status(master, jid))["ended"] and found, "the end of the rollout")


def counted(path):
    """Return how often each line is in a file."""
    return collections.Counter(path.read_text().split()) if path.exists() else collections.Counter()
