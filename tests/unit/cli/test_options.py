"""Options and other words in any order, and errors as in stock."""

import importlib

import pytest

from salt_g.cli import exit_codes, options
from salt_g.cli.call import call_options
from salt_g.cli.call.call_options import build_parser
from salt_g.cli.cmd import cmd_options, cp_options
from salt_g.cli.key import key_options
from salt_g.cli.run import run_options


def _split(*words):
    options, rest = build_parser().split(list(words))
    return options, rest


def test_options_may_follow_the_function():
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


def test_a_mistyped_option_is_reported_with_the_nearest_one(capsys):
    with pytest.raises(SystemExit):
        _split("test.ping", "--locla")

    assert "no such option: --locla; perhaps you meant --local" in capsys.readouterr().err


def test_the_versions_are_printed_to_standard_output(capsys):
    with pytest.raises(SystemExit) as ended:
        _split("-V")

    assert ended.value.code == exit_codes.OK
    assert capsys.readouterr().out.startswith("Salt Version:")


def test_a_program_without_arguments_refuses_one(capsys):
    parser = options.OptionParser(prog="salt-g doctor")

    with pytest.raises(SystemExit) as ended:
        parser.options_only(["now"])

    assert ended.value.code == exit_codes.USAGE
    assert "error: unexpected argument: now" in capsys.readouterr().err


@pytest.mark.parametrize(
    "overrides",
    [
        lambda *words: call_options.overrides(call_options.build_parser().parse_args(words)),
        lambda *words: cmd_options.overrides(cmd_options.build_parser().parse_args(words)),
        lambda *words: cp_options.overrides(cp_options.build_parser().parse_args(words)),
        lambda *words: key_options.overrides(key_options.build_parser().parse_args(words)),
        lambda *words: run_options.overrides(run_options.build_parser().parse_args(words)),
    ],
    ids=["call", "cmd", "cp", "key", "run"],
)
def test_output_options_override_the_same_settings_in_every_program(overrides):
    given = overrides("--force-color", "--state-verbose=no", "--state-output=terse", "--out=json")
    plain = overrides()

    wanted = {"force_color": True, "state_verbose": False, "state_output": "terse", "output": "json"}
    assert given == {**plain, **wanted}
    assert not plain.keys() & wanted.keys()


@pytest.mark.parametrize("parser", [cmd_options.build_parser(), cp_options.build_parser()])
def test_a_timeout_of_zero_means_the_configured_one(parser):
    assert "timeout" not in options.job_overrides(parser.parse_args(["-t", "0"]), "timeout")
    assert options.job_overrides(parser.parse_args(["-t", "9"]), "timeout") == {"timeout": 9}


MIXED = {
    "cmd.plan": ["show", "-c", "/etc/x", "web.plan", "--diff"],
    "cmd.rollout": ["status", "-c", "/etc/x", "20261128091710259655"],
    "fleet.audit": ["verify", "-c", "/etc/x", "audit.log"],
    "fleet.impact": ["pillar:nginx", "-c", "/etc/x", "grain:os"],
    "fleet.lock": ["drop", "-c", "/etc/x", "1f0c3a9b"],
    "fleet.mailbox": ["drop", "-c", "/etc/x", "20261123140301123456"],
    "setup.config": ["user", "-c", "/etc/x", "id"],
    "setup.token": ["revoke", "-c", "/etc/x", "1f0c"],
}


@pytest.mark.parametrize("name", MIXED)
def test_options_may_stand_between_the_words_of_every_command(name):
    words = MIXED[name]
    parser = importlib.import_module(f"salt_g.cli.{name}").build_parser()

    mixed = vars(parser.mixed(words))

    assert mixed == vars(parser.mixed([*words[1:3], words[0], *words[3:]]))
    assert mixed["config_dir"] == "/etc/x"


@pytest.mark.parametrize(
    ("word", "problem"),
    [("--doff", "no such option: --doff; perhaps you meant --diff"), ("x", "unexpected argument: x")],
)
def test_a_word_too_many_is_named(capsys, word, problem):
    parser = importlib.import_module("salt_g.cli.cmd.plan").build_parser()

    with pytest.raises(SystemExit) as caught:
        parser.mixed(["show", "-c", "/etc/x", "web.plan", word])

    assert caught.value.code == exit_codes.USAGE
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--rollout", "--check", "--stop-at", "--save", "--out-record"])
@pytest.mark.parametrize("form", ["apart", "joined"])
def test_an_empty_word_does_not_turn_off_what_makes_a_job_careful(capsys, option, form):
    words = [option, ""] if form == "apart" else [f"{option}="]

    with pytest.raises(SystemExit) as exit_info:
        cmd_options.build_parser().parse_args(["*", "test.ping", *words])

    assert exit_info.value.code == 64
    assert f"{option}: the value is empty" in capsys.readouterr().err
