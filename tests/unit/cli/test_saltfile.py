"""Options from a Saltfile."""

import os

import pytest

from salt_g.cli import saltfile
from salt_g.cli.cmd.cmd_options import build_parser


@pytest.fixture
def options(tmp_path, monkeypatch):
    """Return a function that parses words, with a Saltfile of this text in the current directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(saltfile.VARIABLE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    def parse(text, *words):
        if text is not None:
            (tmp_path / "Saltfile").write_text(text)
        parser = build_parser()
        found, _ = parser.split(list(words))
        return saltfile.apply(found, parser, "salt"), found

    return parse


def test_a_saltfile_gives_values_that_the_words_do_not(options):
    problem, found = options("salt:\n  timeout: 20\n  verbose: true\n", "-t", "7", "*", "test.ping")

    assert (problem, found.timeout, found.verbose) == ("", 7, True)


def test_other_sections_and_names_mean_nothing(options):
    problem, found = options("salt-call:\n  timeout: 20\nsalt:\n  nothing_known: 1\n", "*", "test.ping")

    assert (problem, found.timeout, hasattr(found, "nothing_known")) == ("", None, False)


def test_a_saltfile_that_was_named_must_be_there(options):
    problem, _ = options(None, "--saltfile=nowhere", "*", "test.ping")

    assert problem == "'nowhere' file does not exist."


def test_a_saltfile_that_is_not_yaml_is_reported(options):
    problem, _ = options("salt: [", "*", "test.ping")

    assert "Saltfile cannot be read" in problem


def test_a_value_that_an_option_cannot_have_is_reported(options):
    for given in ("timeout: soon", "log_level: loud"):
        problem, _ = options(f"salt:\n  {given}\n", "*", "test.ping")

        assert "has an invalid value for" in problem


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to give a file to another user")
def test_a_saltfile_of_another_user_is_not_used(options, tmp_path, capsys):
    (tmp_path / "Saltfile").write_text("")
    os.chown(tmp_path / "Saltfile", 65534, 65534)

    problem, found = options("salt:\n  timeout: 20\n", "*", "test.ping")
    named, parsed = options("salt:\n  timeout: 20\n", "--saltfile=Saltfile", "*", "test.ping")

    assert (problem, found.timeout) == ("", None)
    assert (named, parsed.timeout) == ("", 20)
    assert capsys.readouterr().err == f"{tmp_path}/Saltfile is ignored: it belongs to another user\n"
