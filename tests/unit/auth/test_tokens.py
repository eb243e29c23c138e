import pytest

from salt_g.auth import tokens as module
from salt_g.auth.tokens import OF_ONE_USER, Tokens
from tests.support.clocks import Clock

HOUR = 3600


@pytest.fixture
def clock():
    return Clock(1_800_000_000.0)


@pytest.fixture
def tokens(tmp_path, clock):
    return Tokens(str(tmp_path / "tokens"), clock=clock)


def test_a_token_lasts_as_long_as_it_was_given_for(tokens, clock):
    token = tokens.make(HOUR, {"name": "fred"})["token"]

    clock.now += HOUR
    assert tokens.get(token)["name"] == "fred"
    clock.now += 1
    assert tokens.get(token) == {}

    clock.now -= HOUR
    assert tokens.get(token) == {}, "it is gone, also for a clock that goes back"


def test_a_small_step_of_the_clock_locks_nobody_out(tokens, clock):
    token = tokens.make(HOUR, {"name": "fred"})["token"]

    clock.now -= 200

    assert tokens.get(token)["name"] == "fred"


def test_a_clock_that_is_set_back_makes_no_token_last_longer(tokens, clock, caplog):
    token = tokens.make(HOUR, {"name": "fred"})["token"]

    clock.now -= 10 * HOUR
    assert tokens.get(token) == {}
    assert "a token of fred that was created in the future" in caplog.text

    clock.now += 10 * HOUR
    assert tokens.get(token)["name"] == "fred"


def test_old_tokens_are_cleaned_away_and_others_stay(tokens, clock):
    old = tokens.make(HOUR, {"name": "fred"})["token"]
    clock.now += HOUR
    new = tokens.make(HOUR, {"name": "eve"})["token"]
    clock.now += 1

    assert tokens.clean() == 1
    assert tokens.get(old) == {}
    assert tokens.get(new)["name"] == "eve"


def test_a_user_has_some_tokens_and_loses_the_oldest_for_a_new_one(tokens, tmp_path, clock):
    made = []
    for _ in range(OF_ONE_USER + 5):
        clock.now += 1
        made.append(tokens.make(HOUR, {"name": "fred", "eauth": "pam"})["token"])
    users = (("fred", "file"), ("eve", "pam"))
    others = [tokens.make(HOUR, {"name": name, "eauth": eauth}) for name, eauth in users]

    assert [bool(tokens.get(token)) for token in made] == [False] * 5 + [True] * OF_ONE_USER
    assert all(tokens.get(other["token"]) for other in others)
    assert len(list((tmp_path / "tokens").iterdir())) == OF_ONE_USER + 2


def test_tokens_that_have_ended_go_before_others(tokens, clock, tmp_path):
    lasting = tokens.make(10 * HOUR, {"name": "fred"})["token"]
    for _ in range(OF_ONE_USER - 1):
        tokens.make(HOUR, {"name": "fred"})
    clock.now += 2 * HOUR

    new = tokens.make(HOUR, {"name": "fred"})["token"]

    assert tokens.get(lasting)
    assert tokens.get(new)
    assert len(list((tmp_path / "tokens").iterdir())) == 2


def test_tokens_of_an_earlier_run_count(tokens, clock, tmp_path):
    for _ in range(OF_ONE_USER):
        clock.now += 1
        tokens.make(HOUR, {"name": "fred"})
    (tmp_path / "tokens" / ("0" * 64)).write_text("{")

    again = Tokens(str(tmp_path / "tokens"), clock=clock)
    new = again.make(HOUR, {"name": "fred"})["token"]
    again.clean()

    assert again.get(new)
    assert len(list((tmp_path / "tokens").iterdir())) == OF_ONE_USER


def test_the_oldest_of_all_goes_when_there_are_too_many(tokens, clock, monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    made = []
    for name in "abcd":
        clock.now += 1
        made.append(tokens.make(HOUR, {"name": name})["token"])

    assert [bool(tokens.get(token)) for token in made] == [False, True, True, True]
