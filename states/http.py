"""Checks of responses from URLs."""

from __future__ import annotations

import re
import time
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import failed, outcome

#: (whether the response matches, text for the comment)
_Verdict = tuple[bool, str]


@takes("http.query")
def query(
    name: str,
    match: Any = None,
    match_type: str = "string",
    status: Any = None,
    status_type: str = "string",
    wait_for: float | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Check that a URL responds with this text (`match`), this status code (`status`), or both.

    `match_type` is `string` or `pcre`, `status_type` one of these or `list`. `wait_for` repeats failing
    requests for at most so many seconds. All other arguments are passed to `http.query`.

    Example::

        salt-g state.single http.query https://example.org status=200
    """
    if match is None and status is None:
        problem = " Either match text (match) or a status code (status) is required."
        return failed(name, problem, data={})
    arguments = {"decode": False, **kwargs, "text": True, "status": True}
    if opts["test"]:
        arguments["test"] = True
    if wait_for:
        data = call("http.wait_for_successful_query", name, wait_for=wait_for, **arguments)
    else:
        data = call("http.query", name, **arguments)
    verdicts = []
    if match is not None:
        verdicts.append(_judge_text(str(data.get("text", "")), match, match_type))
    if status is not None:
        verdicts.append(_judge_status(str(data.get("status", "")), status, status_type))
    comment = " ".join(
        [*(text for _, text in verdicts), *([str(data["error"])] if data.get("error") else [])]
    )
    if opts["test"]:
        url = f", TEST URL WAS: {kwargs['test_url']}" if "test_url" in kwargs else ""
        return outcome(name, None, f"{comment} (TEST MODE{url})", data=data)
    return outcome(name, all(fits for fits, _ in verdicts), comment, data=data)


def wait_for_successful_query(name: str, wait_for: float = 300, **kwargs: Any) -> StateReturn:
    """Check that a URL responds as expected within `wait_for` seconds.

    `request_interval` is the pause between two attempts, in seconds (default: 1); the other arguments are
    those of `query`.

    Example::

        salt-g state.single http.wait_for_successful_query https://example.org status=200
    """
    deadline = time.monotonic() + wait_for
    while True:
        returned = query(name, **kwargs)
        if returned["result"] or opts["test"] or time.monotonic() > deadline:
            return returned
        time.sleep(kwargs.get("request_interval", 1))


def mod_watch(name: str, **kwargs: Any) -> StateReturn:
    """Query again because a watched state has changed.

    Example::

        salt-g state.single http.mod_watch https://example.org status=200
    """
    return query(name, **{key: value for key, value in kwargs.items() if key != "sfun"})


def _judge_text(text: str, wanted: Any, kind: str) -> _Verdict:
    is_pattern = kind == "pcre"
    fits = bool(re.search(str(wanted), text)) if is_pattern else str(wanted) in text
    what = "pattern" if is_pattern else "text"
    return fits, f'Match {what} "{wanted}" was {"" if fits else "not "}found.'


def _judge_status(status: str, wanted: Any, kind: str) -> _Verdict:
    if kind == "list":
        hits = [each for each in wanted if str(each) == status]
        return bool(hits), f"Status {hits[0]} was found." if hits else f"Statuses {wanted} were not found."
    if kind == "pcre":
        fits = bool(re.search(str(wanted), status))
        return fits, f'Status pattern "{wanted}" was {"" if fits else "not "}found.'
    fits = status == str(wanted)
    return fits, f"Status {wanted} was {'' if fits else 'not '}found."
