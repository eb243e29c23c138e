"""Test runs of `salt-g impact --verify`, which show the real effect of a change on the minions concerned.

The test runs are ordinary jobs of `state.test` with the user's rights, one job for each recorded call.
Shapes: an outcome is a sorted tuple of (state's name, added lines, removed lines, text), () for no change.
"""

from __future__ import annotations

import argparse
import posixpath
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.cli.fleet.id_ranges import shortened
from salt_g.report import state_calls
from salt_g.report.state_changes import text_of_changes

if TYPE_CHECKING:
    from salt_g.shapes import Opts

#: Change: name, numbers of added and removed lines (None: no diff), text.
Change = tuple[str, "int | None", "int | None", str]
Outcome = tuple[Change, ...]
#: Maximum number of changes named in a line, and maximum length of a failure's text (characters).
_NAMED, _LONGEST = 3, 200


class Verified(NamedTuple):
    """Results of test runs: {outcome: ids}, {failure: ids}, ids without a return, ids without a test run."""

    outcomes: dict[Outcome, list[str]]
    failures: dict[str, list[str]]
    silent: list[str]
    untested: list[str]

    def as_map(self, saltenv: str) -> dict[str, Any]:
        """Return the results as data for outputters."""
        return {
            "saltenv": saltenv or None,
            "identical": self.outcomes.get((), []),
            "would_change": [
                {
                    "minions": ids,
                    "changes": [
                        {"name": name, "added": added, "removed": removed, "text": text}
                        for name, added, removed, text in outcome
                    ],
                }
                for outcome, ids in self.changing()
            ],
            "failed": self.failures,
            "silent": self.silent,
            "untested": self.untested,
        }

    def changing(self) -> list[tuple[Outcome, list[str]]]:
        """Return the outcomes with changes, most minions first."""
        found = [(outcome, ids) for outcome, ids in self.outcomes.items() if outcome]
        return sorted(found, key=lambda item: (-len(item[1]), item[1]))


def verify(opts: Opts, options: argparse.Namespace, calls: Mapping[str, list[str]], saltenv: str) -> Verified:
    """Run the calls in test mode on their minions, in `saltenv` if given; raise SaltGError if that fails."""
    from salt_g.cli.cmd.login import credentials
    from salt_g.client.local import LocalClient

    found: dict[str, list[Outcome]] = {}
    failures: dict[str, list[str]] = {}
    untested: set[str] = set()
    silent: set[str] = set()
    client = LocalClient(mopts=opts)
    try:
        login: dict[str, Any] = (
            credentials(options, opts, client.link) if options.eauth or options.mktoken else {}
        )
        # Reads in another environment must not be recorded as the dependencies of the minion's states.
        more: dict[str, Any] = {"metadata": {"impact_trial": True}} if saltenv else {}
        for call, ids in calls.items():
            job = state_calls.test_job(call, saltenv)
            if job is None:
                untested.update(ids)
                continue
            fun, args, kwargs = job
            returns = client.cmd(
                ids, fun, args, tgt_type="list", kwarg=kwargs, full_return=True, **login, **more
            )
            for id in ids:
                _note(id, returns.get(id), found, failures, silent)
    finally:
        client.destroy()
    by_outcome: dict[Outcome, list[str]] = {}
    failed = {id for ids in failures.values() for id in ids} | silent
    for id, outcomes in found.items():
        if id not in failed:
            merged = sorted({change for outcome in outcomes for change in outcome}, key=repr)
            by_outcome.setdefault(tuple(merged), []).append(id)
    return Verified(by_outcome, failures, sorted(silent), sorted(untested - found.keys() - failed))


def _note(
    id: str,
    returned: Any,
    found: dict[str, list[Outcome]],
    failures: dict[str, list[str]],
    silent: set[str],
) -> None:
    if not isinstance(returned, Mapping) or "ret" not in returned or not returned["ret"]:
        silent.add(id)
        return
    problem = _problem(returned["ret"])
    if problem:
        failures.setdefault(problem, []).append(id)
    else:
        found.setdefault(id, []).append(tuple(_changes(returned["ret"])))


def _problem(ret: Any) -> str:
    """Return why a test run failed, '' if it did not."""
    if not isinstance(ret, Mapping):
        first = ret[0] if isinstance(ret, list) and ret else ret
        return " ".join(str(first).split())[:_LONGEST]
    for entry in ret.values():
        if not isinstance(entry, Mapping):
            return "the return is not a state run's"
        if entry.get("result") is False:
            name = entry.get("name") or entry.get("__id__") or ""
            return f"{name}: {' '.join(str(entry.get('comment')).split())}"[:_LONGEST]
    return ""


def _changes(ret: Mapping[str, Any]) -> Iterator[Change]:
    for tag, entry in ret.items():
        if entry.get("result") is None or entry.get("changes"):
            text, added, removed = text_of_changes(entry.get("changes") or {})
            yield str(entry.get("name") or tag), added, removed, text


def lines(verified: Verified, saltenv: str) -> list[str]:
    """Return the lines of text that summarize test runs."""
    changing = verified.changing()
    number = sum(len(ids) for _, ids in changing)
    what = f" ({shown(changing[0][0])})" if len(changing) == 1 else ""
    parts = [f"{number:,} would change{what}", f"{len(verified.outcomes.get((), [])):,} identical"]
    failed = sum(map(len, verified.failures.values()))
    for count, word in ((failed, "failed"), (len(verified.silent), "did not return")):
        if count:
            parts.append(f"{count:,} {word}")
    if verified.untested:
        parts.append(f"{len(verified.untested):,} not tested: their pillar=... is not kept")
    where = f"environment {saltenv}" if saltenv else "the present tree"
    rows = [f"verified by state.test with {where}: {', '.join(parts)}"]
    rows += [f"  {shown(outcome)}: {shortened(ids)}" for outcome, ids in changing]
    rows += [f"  failed: {problem}: {shortened(ids)}" for problem, ids in verified.failures.items()]
    return rows


def shown(outcome: Outcome) -> str:
    """Return a short text for an outcome, such as `+1 -1 site.conf, nginx and 3 more`."""
    words = [
        f"{'' if added is None else f'+{added} -{removed} '}{posixpath.basename(name.rstrip('/')) or name}"
        for name, added, removed, _ in outcome[:_NAMED]
    ]
    more = f" and {len(outcome) - _NAMED} more" if len(outcome) > _NAMED else ""
    return ", ".join(words) + more
