"""Choice of the program by the first word, or by the name of a link."""

import os
import re
import subprocess
import sys

import pytest

from salt_g import __version__
from salt_g.cli import dispatch, exit_codes, overview


@pytest.mark.parametrize(
    "words", [["salt-g", "--version"], ["salt-g", "call", "--version"], ["salt-call", "--version"]]
)
def test_the_version_is_printed_by_every_program(words, capsys):
    code = dispatch.run(words)

    assert code == exit_codes.OK
    assert re.fullmatch(rf"salt-g {re.escape(__version__)}( \([0-9a-f]{{12}}\))?\n", capsys.readouterr().out)


def test_no_words_are_a_usage_error_with_the_overview(capsys):
    code = dispatch.run(["salt-g"])

    assert code == exit_codes.USAGE
    assert "salt-g cmd.run 'uptime'" in capsys.readouterr().err


def test_the_overview_lists_every_subcommand_once():
    listed = overview.TEXT.partition("subcommands:\n")[2].partition("\n\n")[0]

    assert sorted(line.split()[0] for line in listed.splitlines()) == sorted(dispatch.SUBCOMMANDS)


def test_help_goes_to_standard_output(capsys):
    assert dispatch.run(["salt-g", "--help"]) == exit_codes.OK
    assert capsys.readouterr().out.startswith("Usage: salt-g TARGET FUNCTION")


@pytest.mark.parametrize("argv", [["salt-call", "--help"], ["salt-g", "call", "--help"]])
def test_a_link_named_like_stocks_program_is_that_program(argv, capsys):
    with pytest.raises(SystemExit) as caught:
        dispatch.run(argv)

    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("Usage: salt-g call [options] FUNCTION")


def test_help_of_a_subcommand_is_its_own(capsys):
    with pytest.raises(SystemExit) as caught:
        dispatch.run(["salt-g", "help", "key"])

    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("Usage: salt-g key [options]")


def test_printing_the_version_imports_next_to_nothing():
    listed = subprocess.run(
        [
            sys.executable,
            "-X",
            "importtime",
            "-c",
            "from salt_g.cli import dispatch; dispatch.run(['salt-g', '--version'])",
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": ""},
    ).stderr
    imported = {line.rpartition("|")[2].strip() for line in listed.splitlines()}

    assert not imported & {
        "argparse",
        "logging",
        "json",
        "inspect",
        "gevent",
        "jinja2",
        "ruamel.yaml",
        "subprocess",
    }
    assert sum(name.startswith("salt_g") for name in imported) <= 7
