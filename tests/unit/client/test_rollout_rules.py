"""Rules of a rollout, as given and as applied."""

import pytest

from salt_g.client.rollout_rules import (
    MOST_CHECKS,
    Check,
    failures_borne,
    read_rules,
    wave_ends,
    why_stopped,
)
from salt_g.errors import ClientError

WHOLE = {
    "waves": ["2", "10%", "100%"],
    "checks": [["http.query", ["http://x", {"__kwarg__": True, "status": 200}]]],
    "soak": 300,
    "stop_at": "5%",
    "undo": True,
    "batch": "10",
    "timeout": 3,
}


def test_rules_are_read_as_they_are_sent():
    rules = read_rules(WHOLE)

    assert read_rules(rules.as_map()) == rules
    assert rules.checks == (Check("http.query", ["http://x", {"__kwarg__": True, "status": 200}]),)
    assert rules.checks[0].name == "http.query http://x"
    assert read_rules({"waves": ["100%"]}).stop_at == "0"
    assert Check("cmd.run", [True]).name == "cmd.run true"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"waves": []}, "1 to 100 waves"),
        ({"waves": "2,3"}, "1 to 100 waves"),
        ({"waves": ["many"]}, "wave 'many'"),
        ({"waves": ["0"]}, "wave '0'"),
        ({"waves": ["101%"]}, "must not exceed 100%"),
        ({"waves": ["10%", "5%"]}, "they must increase"),
        ({"waves": ["2", "2"]}, "they must increase"),
        ({"checks": "x"}, "a list of at most"),
        ({"checks": [["test.ping", []]] * (MOST_CHECKS + 1)}, "a list of at most"),
        ({"checks": [["ping", []]]}, "a function with arguments"),
        ({"soak": -1}, "soak must be a number"),
        ({"soak": True}, "soak must be a number"),
        ({"stop_at": "few"}, "--stop-at few"),
        ({"stop_at": "nan"}, "--stop-at nan"),
        ({"stop_at": "101%"}, "--stop-at 101%"),
        ({"timeout": "soon"}, "a number of seconds"),
        ({"batch": "x"}, "Invalid batch data"),
        ({"checked": []}, "unknown rules of a rollout: checked"),
    ],
    ids=str,
)
def test_wrong_rules_are_refused_in_words(wrong, why):
    with pytest.raises(ClientError, match=why):
        read_rules({**WHOLE, **wrong})


def test_rules_are_a_map():
    with pytest.raises(ClientError, match="a map"):
        read_rules(None)


@pytest.mark.parametrize(
    ("count", "ends"), [(100, [2, 10, 100]), (1000, [2, 100, 1000]), (10, [2, 10]), (1, [1]), (0, [])]
)
def test_waves_are_cumulative_and_empty_ones_are_left_out(count, ends):
    assert wave_ends(("2", "10%", "100%"), count) == ends


@pytest.mark.parametrize(
    ("stop_at", "failed", "reached", "why"),
    [
        ("0", 0, 5, ""),
        ("0", 1, 5, "1 failed > 0"),
        ("5%", 1, 20, ""),
        ("5%", 1, 10, "10 % > 5 %"),
        ("2", 2, 2, ""),
        ("2", 3, 30, "3 failed > 2"),
    ],
)
def test_too_many_failures_among_those_reached_stop_it(stop_at, failed, reached, why):
    assert why_stopped(stop_at, failed, reached) == why
    assert (failed > failures_borne(stop_at, reached)) == bool(why)
