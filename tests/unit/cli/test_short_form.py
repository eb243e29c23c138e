"""Short forms: `salt-g FUNCTION ...` and `salt-g TARGET FUNCTION ...`."""

import pytest

from salt_g.cli import short_form
from salt_g.cli.dispatch import SUBCOMMANDS


@pytest.mark.parametrize(
    "words",
    [
        ["*", "test.ping"],
        ["web1", "test.ping"],
        ["-G", "os:Debian", "test.ping"],
        ["-c", "/etc/x", "web*", "state.apply"],
        ["--out=json", "web*", "test.ping,test.echo"],
        ["--out", "json", "db1.example.com", "test.ping"],
        ["-L", "test.ping,b", "test.ping"],
        ["web.example", "test.ping"],
        ["-d", "*", "test.ping"],
    ],
)
def test_a_word_that_is_not_a_function_is_a_target(words):
    assert short_form.is_target(words)


@pytest.mark.parametrize(
    "words",
    [
        ["test.ping"],
        ["no.such"],
        ["cmd.run", "uptime"],
        ["--local", "test.ping"],
        ["-l", "debug", "cmd.run", "ls *"],
        ["-g"],
        ["-d"],
        ["--local", "-d", "test.ping"],
        ["sys.doc", "test.ping"],
        ["test.arg", "--", "-G"],
    ],
)
def test_a_word_that_is_a_function_is_a_local_call(words):
    assert not short_form.is_target(words)


def test_a_word_that_is_neither_module_nor_function_is_a_target_without_function():
    assert short_form.lone_target(["--out=json", "m1"]) == "m1"
    assert short_form.lone_target(["test"]) is None
    assert short_form.lone_target(["web.example"]) is None
    assert short_form.lone_target(["m1", "test.ping"]) is None


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("-c etc key -L", 2),
        ("-c key key -L", 2),
        ("--out=json run manage.up", 1),
        ("-l debug call test.ping", 2),
        ("-c etc master -d", 2),
        ("-c etc master test.ping", None),
        ("-c key test.ping", None),
        ("-L key test.ping", None),
        ("-G os:Debian run test.ping", None),
        ("-c etc web1 test.ping", None),
        ("-- key test.ping", None),
    ],
)
def test_a_subcommand_is_found_behind_options(line, place):
    assert short_form.subcommand_behind_options(line.split(), SUBCOMMANDS) == place
