"""Options and other words may stand in any order; what is wrong is refused as stock refuses it."""

import pytest

from salt_g.cli import exit_codes
from salt_g.cli.call.call_options import build_parser


def _split(*words):
    options, rest = build_parser().split(list(words))
    return options, rest


def test_options_may_stand_behind_the_function():
    options, rest = _split("test.arg", "-l", "debug", "x", "--local")

    assert (options.log_level, options.local, rest) == ("debug", True, ["test.arg", "x"])


def test_everything_behind_two_dashes_is_a_word():
    options, rest = _split("--local", "test.arg", "--", "-l", "debug", "--")

    assert options.log_level is None
    assert rest == ["test.arg", "-l", "debug", "--"]


def test_a_negative_number_is_a_word():
    assert _split("test.echo", "-1.5")[1] == ["test.echo", "-1.5"]


def test_an_unknown_option_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as caught:
        _split("test.ping", "--foo=1")

    assert caught.value.code == exit_codes.USAGE
    assert "error: no such option: --foo" in capsys.readouterr().err


def test_an_unknown_log_level_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as caught:
        _split("test.ping", "-l", "loud")

    assert caught.value.code == exit_codes.USAGE
    assert "loud" in capsys.readouterr().err


def test_a_mistyped_option_is_told_with_the_nearest_one(capsys):
    with pytest.raises(SystemExit):
        _split("test.ping", "--locla")

    assert "no such option: --locla; perhaps you meant --local" in capsys.readouterr().err
