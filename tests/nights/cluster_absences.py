"""Connections of minions from their logs, and jobs published while a minion had none for too long.

A cluster redelivers a job for a limited time after its publication. A minion without a connection to any
master during that time misses the job by design; one with a connection that did not run it has lost it.
Units: seconds since the epoch.
"""

import re
from typing import NamedTuple

#: How long after its publication a job is given again, and to a minion that was connected then: `RECENT` and
#: `BEHIND` of `salt_g/master/cluster/missed_jobs.py`.
GIVEN_AGAIN, BEHIND = 60.0, 180.0
#: How long after a publication the master of a minion may be killed before it has sent the job.
UNSENT = 5.0
#: Settings of a daemon that writes the log which is read here.
LOGGED = {"log_level_logfile": "info", "log_fmt_logfile": "%(created).3f %(message)s"}
_LINE = re.compile(r"(?P<at>\d+\.\d{3}) (?P<text>.*)")
_READY = re.compile(r"minion \S+ is ready for jobs of master (?P<master>\S+)")
_LOST = re.compile(r"master \S+: (no connection to its publisher for (?P<seconds>\d+) s)?|no master accepts")


class Connection(NamedTuple):
    """Time in which a minion was connected to a master; `until` is None while it is."""

    master: str
    since: float
    until: float | None = None

    def has(self, begin, end):
        """Return whether it was open at some point between two moments."""
        return self.since <= end and (self.until is None or self.until >= begin)


def connections(text):
    """Return the connections of a minion from its log, in order."""
    found, current = [], None
    for line in map(_LINE.match, text.splitlines()):
        if line is None:
            continue
        at, ready, lost = float(line["at"]), _READY.match(line["text"]), _LOST.match(line["text"])
        if current is not None and (ready or lost):
            silent = float(lost["seconds"] or 0) if lost else 0.0
            found.append(current._replace(until=max(current.since, at - silent)))
            current = None
        if ready:
            current = Connection(ready["master"], at)
    return [*found, current] if current else found


def next_connection(connections, moment):
    """Return the first connection that began after a moment, or None."""
    return next((one for one in connections if one.since > moment), None)


def missed_by_design(connections, moment):
    """Return whether a minion had no connection during the whole redelivery time of a job.

    A connection that ended soon after the publication does not count: its master was killed.
    """
    was_connected = any(one.has(moment, moment) for one in connections)
    end = moment + (BEHIND if was_connected else GIVEN_AGAIN)
    return not any(one.has(moment + UNSENT, end) for one in connections)


def evidence(connections, moment):
    """Return a line about the connections around a moment, in seconds relative to it."""
    near = [one for one in connections if one.has(moment - GIVEN_AGAIN, moment + BEHIND)]
    spans = [f"{one.master} {_after(one.since, moment)} to {_after(one.until, moment)}" for one in near]
    return ", ".join(spans) or "no connection near"


def _after(at, moment):
    return "the end" if at is None else f"{at - moment:+.1f}"
