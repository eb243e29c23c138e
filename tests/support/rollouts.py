"""Calls and checks for the rollouts of a real master."""

from __future__ import annotations

import collections
import json
import pathlib
from typing import Any

from tests.support.commands import PROGRAM, Outcome, outcome_of
from tests.support.daemons import RunningMaster
from tests.support.waiting import until


def rollout(master: RunningMaster, *words: object) -> Outcome:
    """Run `salt-g rollout`; return its Outcome."""
    return outcome_of([PROGRAM, "rollout", *map(str, words), "-c", str(master.config_dir)])


def status(master: RunningMaster, jid: str, *words: object) -> Any:
    """Return the status of a rollout."""
    return json.loads(rollout(master, "status", jid, *words, "--out=json").out)


def began(master: RunningMaster, *words: object) -> str:
    """Start a rollout without waiting for it; return its jid."""
    started = outcome_of(
        [PROGRAM, "cmd", "-c", str(master.config_dir), *map(str, words), "--async", "--out=json"]
    )
    assert started.code == 0, started.err
    jid: str = json.loads(started.out)["jid"]
    return jid


def ended(master: RunningMaster, jid: str) -> Any:
    """Wait for the end of a rollout; return its status."""
    return until(lambda: (found := status(master, jid))["ended"] and found, "the end of the rollout")


def counted(path: pathlib.Path) -> collections.Counter[str]:
    """Return how often each line occurs in a file."""
    return collections.Counter(path.read_text().split()) if path.exists() else collections.Counter()
