import pytest

from salt_g.auth.tokens import Tokens

HOUR = 3600


class Clock:
    def __init__(self):
        self.now = 1_800_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


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
    assert "fred was made in the future" in caplog.text

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
