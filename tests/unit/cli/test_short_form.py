"""`salt-g FUNCTION ...` or `salt-g TARGET FUNCTION ...`?"""

import pytest

from salt_g.cli import short_form


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
