"""Output for the returns of a job: per-minion results, missing minions, documentation, counts.

This module formats; `job_output.py` decides when to print. Texts are stock's wherever stock has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.client import return_collector
from salt_g.client.missing_returns import SILENT, absence_text, silent_return
from salt_g.client.return_collector import Return, ReturnCollector
from salt_g.resource_model.merged_state_runs import merge_state_runs

if TYPE_CHECKING:
    from salt_g.shapes.loads import Answers

_RULE = "-------------------------------------------"


class ReturnOutput(NamedTuple):
    """Printed result of one minion."""

    value: Any
    outputter: str | None = None
    retcode: int = 0
    #: Managing minion of the resource that returned; '' for a minion's own return.
    manager: str = ""
    #: Places (file and line) of errors in SLS files that did not compile.
    places: tuple[str, ...] = ()

    @property
    def is_silent(self) -> bool:
        """Return whether this is a placeholder for a minion that did not return."""
        return isinstance(self.value, str) and self.value.startswith(SILENT)


def shown(returned: Return) -> ReturnOutput:
    """Return the result to print; a failed job never has return code 0."""
    retcode = returned.retcode
    if retcode == 0 and returned.data.get("success") is False:
        retcode = 1
    manager = returned.data.get("minion") if "srn" in returned.data else ""
    places = tuple(text for text in returned.data.get("places") or () if isinstance(text, str))
    return ReturnOutput(
        returned.data["return"], returned.data.get("out"), retcode, str(manager or ""), places
    )


def blocks(minions: Mapping[str, ReturnOutput]) -> dict[str, Answers]:
    """Return {minion: running dict}, merging each minion's state run with those of its resources."""
    managed: dict[str, Answers] = {}
    for id, one in minions.items():
        if one.manager:
            managed.setdefault(one.manager, {})[id] = one.value
    return {
        id: merge_state_runs(minions[id].value if id in minions else None, values)
        for id, values in managed.items()
    }


def places(minions: Mapping[str, ReturnOutput]) -> list[str]:
    """Return one line for each SLS location, with the ids of the minions that report it."""
    named: dict[str, list[str]] = {}
    for id, one in minions.items():
        for place in one.places:
            named.setdefault(place if place.isprintable() else ascii(place), []).append(id)
    return [f"{place}: {', '.join(sorted(ids))}" for place, ids in named.items()]


def silent(
    watch: ReturnCollector, known: Mapping[str, Mapping[str, Any]] | None = None
) -> Iterator[tuple[str, ReturnOutput]]:
    """Yield (id, result to print) for each expected minion that did not return.

    `known` is the master's data about these minions (`JobClient.absences`).
    """
    for id in watch.absent():
        stands = silent_return(watch, id)
        about = absence_text((known or {}).get(id, {}))
        yield id, ReturnOutput(f"{stands['ret']}{about}", stands["out"], stands["retcode"])


def title(jid: str) -> str:
    """Return the header printed with `-v`."""
    text = f"Executing job with jid {jid}"
    return f"{text}\n{'-' * len(text)}\n"


def interrupted(jid: str, watch: ReturnCollector | None) -> str:
    """Return the text printed on Ctrl-C, which says that the job continues and how to see its returns."""
    lines = [
        "",
        f"This job's jid is: {jid}",
        "Exiting gracefully on Ctrl-c",
        "The minions may not have all finished running and any remaining minions will return upon"
        " completion. To look up the return data for this job later, run the following command:",
        "",
        f"salt-g run jobs.lookup_jid {jid}",
        "",
        f"To follow it again: salt-g attach {jid}",
    ]
    if watch is not None and watch.open():
        lines += ["", f"Not returned yet: {' '.join(sorted(watch.open()))}"]
    if watch is not None and watch.running:
        lines.append(f"Known to be running: {' '.join(sorted(watch.running))}")
    return "\n".join(lines)


def documentation(values: Iterable[Any]) -> dict[str, str]:
    """Return {function: text} from the returns of `sys.doc`; the first text of each function is used."""
    docs: dict[str, str] = {}
    for value in values:
        if isinstance(value, Mapping):
            for name, text in value.items():
                if text:
                    docs.setdefault(str(name), str(text))
    return dict(sorted(docs.items()))


def summary(minions: Mapping[str, ReturnOutput], watch: ReturnCollector | None, *, verbose: bool) -> str:
    """Return the counts printed at the end."""
    silent_ids = [id for id, one in minions.items() if one.is_silent]
    failed = [id for id, one in minions.items() if one.retcode and not one.is_silent]
    lines = [
        *("\n", _RULE, "Summary", _RULE),
        f"# of minions targeted: {len(minions)}",
        f"# of minions returned: {len(minions) - len(silent_ids)}",
        f"# of minions that did not return: {len(silent_ids)}",
        f"# of minions with errors: {len(failed)}",
    ]
    if verbose:
        lines += _named(silent_ids, failed, watch)
    return "\n".join([*lines, _RULE])


def _named(silent_ids: list[str], failed: list[str], watch: ReturnCollector | None) -> Iterator[str]:
    titles = {
        return_collector.NOT_CONNECTED: "Minions not connected",
        return_collector.NO_ANSWER: "Minions not responding",
        return_collector.NOT_RUNNING: "Minions not running the job",
        return_collector.RUNNING: "Minions still running the job",
    }
    for verdict, text in titles.items():
        ids = [id for id in silent_ids if watch is not None and watch.verdict(id) == verdict]
        if ids:
            yield f"{text}: {' '.join(ids)}"
    if failed:
        yield f"Minions with failures: {' '.join(failed)}"
