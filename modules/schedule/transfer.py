"""Copying and moving of jobs to other minions, through the master (`peer` must allow `schedule.add`)."""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.modules.schedule._minion_request import NOT_JOBS, Result, is_test
from salt_g.modules.schedule.edit import delete
from salt_g.modules.schedule.listing import list_

#: Settings whose arguments have another name.
_ARGUMENTS = {"args": "job_args", "kwargs": "job_kwargs"}


def move(name: str, target: str, **kwargs: Any) -> Result:
    """Add a job to the minions that the glob `target` matches and delete it here.

    The setting `peer` of the master must allow `schedule.add`.

    Example::

        salt-g schedule.move job1 web2
    """
    result = _add_to(name, target, kwargs, test=f"Job: {name} would be moved from schedule.")
    if "minions" not in result or result["comment"]:
        return result
    deleted = delete(name)
    if not deleted["result"]:
        return {**result, "comment": f"Copied Job {name}. {deleted['comment']}", "result": False}
    return {**result, "comment": f"Moved Job {name} from schedule."}


def copy(name: str, target: str, **kwargs: Any) -> Result:
    """Add a job to the minions that the glob `target` matches.

    The setting `peer` of the master must allow `schedule.add`.

    Example::

        salt-g schedule.copy job1 web2
    """
    result = _add_to(name, target, kwargs, test=f"Job: {name} would be copied from schedule.")
    if "minions" not in result or result["comment"]:
        return result
    return {**result, "comment": f"Copied Job {name} from schedule to minion(s)."}


def _add_to(name: str, target: str, kwargs: dict[str, Any], *, test: str) -> Result:
    """Add a job to other minions; the `comment` of the result is empty only on success."""
    if not name:
        return {"comment": "Job name is required.", "result": False}
    if is_test(kwargs):
        return {"comment": test, "result": True}
    jobs = list_(show_all=True, return_yaml=False)
    if name not in jobs or name in NOT_JOBS:
        return {"comment": f"Job {name} does not exist.", "result": False}
    settings = {_ARGUMENTS.get(key, key): value for key, value in jobs[name].items() if key != "name"}
    answers = call(
        "publish.publish", target, "schedule.add", [name, *(f"{k}={v}" for k, v in settings.items())]
    )
    if not answers:
        return {"comment": "no servers answered the published schedule.add command", "result": True}
    refused = [minion for minion, answer in answers.items() if not _is_added(answer)]
    if refused:
        return {"comment": "the following minions return False", "minions": refused, "result": True}
    return {"comment": "", "minions": list(answers), "result": True}


def _is_added(answer: Any) -> bool:
    """Return whether an answer of `schedule.add` reports success; a minion that cannot call it sends text."""
    if isinstance(answer, dict):
        return answer.get("result") is not False
    return bool(answer) and not isinstance(answer, str)
