"""Shapes of a plan: what a state run would change, kept so that exactly this can be applied later.

All text in a document is redacted before it is signed, so that hiding secrets on the way does not alter it.
Units: seconds since the epoch. Digests are hexadecimal.
"""

from typing import Any, TypedDict


class PlannedChunk(TypedDict):
    """Planned effect of one chunk of a run.

    `key` and `low` are digests of its tag and its arguments (`low` is '' for listeners, which the run adds
    itself), `outcome` is one of its result and changes. `leaves` are digests of the parts of its changes, or
    None if there are too many. `shown` is a summary, `text` the changes, `opaque` what a command would run
    ('' for other states). `after` has the keys of earlier chunks on whose changes its own depend.
    """

    key: str
    id: str
    fun: str
    name: str
    low: str
    outcome: str
    verdict: str
    leaves: list[str] | None
    shown: str
    text: str
    opaque: str
    after: list[str]


class PlanDocument(TypedDict):
    """Plan of one minion or resource, signed by the machine that made it (`mac`).

    `files` are {URL: digest}, `pillar` {top key: digest}.
    """

    form: int
    version: str
    plan: str
    id: str
    made: int
    until: int
    pillar: dict[str, str]
    files: dict[str, str]
    chunks: list[PlannedChunk]
    mac: str


class PlanCall(TypedDict):
    """State function of a plan, and its arguments."""

    fun: str
    args: list[Any]
    kwargs: dict[str, Any]


class PlanFile(TypedDict):
    """Plan as stored in a file on the machine that made it; `mac` covers both parts."""

    call: PlanCall
    document: PlanDocument
    mac: str


class Approval(TypedDict):
    """Approval of a plan: the user, and when."""

    user: str
    at: float


class AppliedPlan(TypedDict):
    """Application of a plan: its job, the user, and when."""

    jid: str
    user: str
    at: float


class PlanRecord(TypedDict):
    """Record of a plan on a master, in addition to the documents of its minions.

    `module` is the login module of its user, '' for users of this machine. `jid` is the job of the test run,
    `minions` are its minions. A closed plan accepts no more documents; from then on it has `planned` {minion:
    digest of its document}, `refused` {minion: why it has none}, `counts` and `size` (bytes).
    """

    id: str
    name: str
    fun: str
    arg: list[Any]
    user: str
    module: str
    made: float
    until: float
    jid: str
    minions: list[str]
    is_closed: bool
    refused: dict[str, str]
    counts: dict[str, int]
    size: int
    planned: dict[str, str]
    approvals: list[Approval]
    applied: list[AppliedPlan]
