import time

from salt_g.report.plan_text import counts_of, line_of, moment, states_of


def chunk(verdict, **more):
    return {"fun": "file.managed", "id": "conf", "name": "/x", "verdict": verdict, "shown": "+1 -1",
            "text": "-a\n+b", "opaque": "", **more}  # fmt: skip


CHANGING = {"chunks": [chunk("change"), chunk("same"), chunk("change", opaque="runs true")]}
QUIET = {"chunks": [chunk("same")]}
FAILING = {"chunks": [chunk("fails", shown="fails: no user")]}


def test_the_line_of_a_plan():
    now = time.mktime((2026, 11, 24, 12, 0, 0, 0, 0, -1))
    counts = counts_of([CHANGING, QUIET, FAILING])

    assert line_of("7f3a91", counts, now + 3600, now=now) == (
        "plan 7f3a91: 3 minions, 1 would change (2 states), 1 nothing, 1 failing, 1 opaque; until 13:00"
    )
    assert line_of("x", counts_of([QUIET]), now, now=now).startswith(
        "plan x: 1 minion, 0 would change (0 states), 1 nothing; until"
    )
    assert moment(now + 24 * 3600, now=now) == "12:00 tomorrow"
    assert moment(now + 72 * 3600, now=now) == "12:00 on 2026-11-27"


def test_states_that_would_change_or_fail_are_listed():
    assert states_of(CHANGING) == [
        "file.managed  conf /x  +1 -1",
        "file.managed  conf /x  runs true (opaque)",
    ]
    assert states_of(FAILING, with_text=True) == [
        "file.managed  conf /x  fails: no user",
        "    -a",
        "    +b",
    ]
    assert states_of(QUIET) == []


def test_a_minion_controls_no_terminal():
    chunk = {**CHANGING["chunks"][0], "shown": "+1\x1b[2K\nweb1:", "text": "a\x9bb\r"}

    assert states_of({**CHANGING, "chunks": [chunk]}, with_text=True) == [
        "file.managed  conf /x  +1\ufffd[2K\ufffdweb1:",
        "    a\ufffdb",
    ]
