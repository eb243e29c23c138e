"""Steps of a job, from events with arbitrary content."""

import pytest

from salt_g.report.step_board import MAX_STEPS, MAX_TEXT, StepBoard, read_event


def step(n, **fields):
    return {
        "n": n,
        "id": f"s{n}",
        "fun": "test.nop",
        "place": "salt://a.sls",
        "verdict": "ok",
        "ms": 1,
        **fields,
    }


def current(n, **fields):
    return {"n": n, "id": f"s{n}", "fun": "pkg.installed", "since": 5.0, "line": "", **fields}


def event(*done, now=None, total=80, **fields):
    return {"total": total, "done": list(done), "now": now, **fields}


@pytest.fixture
def clock():
    return [100.0]


@pytest.fixture
def board(clock):
    return StepBoard(lambda: clock[0])


def test_a_minion_is_described_by_its_current_step(board, clock):
    board.take("web3", event(step(1), now=current(2, id="nginx")))
    clock[0] += 14

    assert board.text_of("web3") == "1/80 pkg.installed nginx (14 s)"
    board.take("web3", event(now=current(2, id="nginx", line="Unpacking libssl3")))
    assert board.text_of("web3") == '1/80 pkg.installed nginx (14 s) "Unpacking libssl3"'


def test_between_two_steps_the_last_one_is_shown(board):
    board.take("web3", event())
    assert board.text_of("web3") == "0/80"
    board.take("web3", event(step(1)))
    assert board.text_of("web3") == "1/80 test.nop s1"


def test_the_slowest_minion_is_the_one_with_the_least_share_done(board):
    board.take("a", event(step(1), total=2))
    board.take("b", event(step(1), total=4))

    assert board.slowest(["a", "b", "c"]) == "b"
    assert board.slowest(["c"]) == ""


def test_failures_and_lost_steps_are_counted(board):
    board.take("a", event(step(5, verdict="failed"), lost=4))

    assert (board.minions["a"].done, board.minions["a"].failed, board.minions["a"].lost) == (5, 1, 4)


def test_a_late_reader_gets_the_newest_steps(board):
    for n in range(MAX_STEPS + 50):
        board.take("a", event(step(n)))
    board.take("b", event(now=current(1, since=9e9)))

    reply = board.as_events()

    assert len(reply["a"]["done"]) + reply["a"]["lost"] == MAX_STEPS + 50
    assert reply["a"]["done"][-1]["n"] == MAX_STEPS + 49
    assert reply["b"]["now"]["since"] == 100.0
    assert all(read_event(one) == one for one in reply.values())


def test_a_minion_can_begin_again(board):
    board.take("a", event(step(1)))
    board.take("b", event(step(1)))

    board.restart("a")

    assert list(board.as_events()) == ["b"]


def test_an_event_is_read_with_its_known_fields_only():
    result = event(step(1, secret="x"), now=current(2, more=1), lost=3, mapped=True, id="m1")

    assert read_event(result) == event(step(1), now=current(2), lost=3)


def test_texts_are_cut_and_have_no_control_characters():
    result = read_event(event(step(1, id="a\x1b[2J" + "b" * 500)))

    assert result["done"][0]["id"] == "a [2J" + "b" * (MAX_TEXT - 5)


@pytest.mark.parametrize(
    "expected",
    [
        None,
        [],
        {},
        event(total=-1),
        event(total="many"),
        event(total=True),
        event(total=10**12),
        {**event(), "done": "none"},
        event(now=7),
        event(now=current(1, since="now")),
        event(now=current("1")),
        event(step(1, verdict="great")),
        event(step(1, ms=-5)),
        event(step(1, id=7)),
        event("step"),
    ],
)
def test_a_malformed_event_is_none(expected):
    assert read_event(expected) is None
