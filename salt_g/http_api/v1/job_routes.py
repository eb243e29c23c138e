"""Routes of jobs: list, start, show, returns, report, stop."""

from __future__ import annotations

import sys
from typing import Any

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.bodies import checked
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.route_orders import one_result
from salt_g.report import job_report

#: Maximum size of a report, measured as data in memory (bytes), and number of returns requested at once.
MAX_REPORT, _PAGE = 64 * 1024 * 1024, 200
#: Maximum time that the mailbox keeps a job (s).
MAX_WHEN_BACK = 400 * 86400
#: Fields of a new job: {name: (types, whether the field is required)}; `when_back` in seconds.
JOB_FIELDS: dict[str, tuple[tuple[type, ...], bool]] = {
    "tgt": ((str, list), True),
    "tgt_type": ((str,), False),
    "fun": ((str, list), True),
    "arg": ((list,), False),
    "kwarg": ((dict,), False),
    "ret": ((str,), False),
    "metadata": ((dict,), False),
    "when_back": ((int, float), False),
    "despite_lock": ((list,), False),
    "all_at_once": ((bool,), False),
}
#: Beginning of a minion's message about a job that was killed.
_ENDED = "Signal 9 sent"


def list_jobs(called: Called) -> Answer:
    """Answer GET /jobs: jobs by page, newest first."""
    # The API must not send `user` to the master, which takes the user from the token.
    query = {**called.query, "by": called.query["user"]}
    del query["user"]
    reply = called.ask("jobs", **query)
    return Answer({"items": reply["rows"], "next": reply["next"]})


def start_job(called: Called) -> Answer:
    """Answer POST /jobs: start a job, unless the same Idempotency-Key has already started one."""
    data = checked(called.data, JOB_FIELDS)
    if "when_back" in data and not 1 <= data["when_back"] <= MAX_WHEN_BACK:
        raise Refusal(400, f"when_back must be a number of seconds from 1 to {MAX_WHEN_BACK}")
    key = called.request.header("idempotency-key")
    answer: Answer = called.parts.repeats.once(_repeater(called), key, data, lambda: _start(called, data))
    return answer


def show_job(called: Called) -> Answer:
    """Answer GET /jobs/{jid}."""
    reply = _known(called, "job_row")
    return Answer({"job": reply["row"], "minions": reply["minions"], "missing": reply["missing"]})


def list_returns(called: Called) -> Answer:
    """Answer GET /jobs/{jid}/returns."""
    reply = _known(called, "job_returns", **called.query)
    return Answer({"items": reply["rows"], "next": reply["next"]})


def show_report(called: Called) -> Answer:
    """Answer GET /jobs/{jid}/report: results by minion and state."""
    reply = _known(called, "job_row")
    job, results, size, after = reply["row"], {}, 0, ""
    while after is not None:
        page = _known(called, "job_returns", after=after, limit=_PAGE)
        for one in page["rows"]:
            size += _size(one["return"])
            results[one["id"]] = one
        if size > MAX_REPORT:
            raise Refusal(413, "this report is too large; read /returns by page")
        after = page["next"]
    found = job_report.report(job["jid"], job, results, reply["minions"])
    return Answer(found)


def stop_job(called: Called) -> Answer:
    """Answer DELETE /jobs/{jid}: end the job on all minions that have not returned; report where it ended."""
    reply = _known(called, "job_row")
    jid, missing = called.names["jid"], reply["missing"]
    if not missing:
        return Answer({"ended": {}, "not_running": [], "silent": []})
    order = {
        **{"client": "local", "tgt": missing, "tgt_type": "list"},
        **{"fun": "saltutil.kill_job", "arg": [jid]},
    }
    answers = one_result(called, order)
    answers = answers if isinstance(answers, dict) else {}
    answered = {id for id, text in answers.items() if text is not False}
    ended = {id: text for id, text in answers.items() if str(text).startswith(_ENDED)}
    return Answer(
        {
            "ended": ended,
            "not_running": sorted(id for id in answered if id not in ended),
            "silent": sorted(set(missing).difference(answered)),
        }
    )


def _repeater(called: Called) -> str:
    """Return the owner of the request's Idempotency-Key: the user, or one token of the user."""
    user = called.user
    return user.digest if user.is_token else f"{user.eauth}/{user.user}"


def _start(called: Called, data: dict[str, Any]) -> Answer:
    started = one_result(called, {"client": "local_async", **data})
    if not started or not (started.get("jid") or started.get("kept")):
        raise Refusal(400, "the target matches no minion; GET /v1/targets/explain says why")
    jid = str(started["jid"])
    answer: dict[str, Any] = {"jid": jid, "minions": started["minions"]}
    if "order" in started:
        answer["kept"] = {
            **{"order": started["order"], "minions": started["kept"], "until": started["until"]},
        }
    return Answer(answer, 202, [("Location", f"/v1/jobs/{jid}" if jid else "/v1/mailbox")])


def _known(called: Called, view: str, **more: Any) -> Any:
    reply = called.ask(view, jid=called.names["jid"], **more)
    if reply["row"] is None:
        raise Refusal(404, "there is no job with this jid that this user may see; GET /v1/jobs lists them")
    return reply


def _size(value: Any) -> int:
    """Return the approximate size of a value in memory, in bytes."""
    if isinstance(value, dict):
        return 64 + sum(_size(one) + len(str(name)) for name, one in value.items())
    if isinstance(value, list):
        return 64 + sum(map(_size, value))
    return sys.getsizeof(value)
