"""Functions of this machine, called from a program."""

import pytest

from salt_g import config
from salt_g.client.caller import Caller
from salt_g.errors import NoSuchFunction


@pytest.fixture
def caller(tmp_path):
    """Return a caller whose settings and directories lie below the test's directory."""
    (tmp_path / "minion").write_text(f"id: m1\nroot_dir: {tmp_path}\ngrains: {{}}\n")
    return Caller(str(tmp_path / "minion"))


def test_a_function_returns_its_value(caller):
    assert caller.cmd("test.echo", "x=1") == "x=1"


def test_words_are_read_as_on_the_command_line(caller):
    args, kwargs = (caller.function("test.arg", "a", "7", "x=[1]", y=2)[part] for part in ("args", "kwargs"))

    assert (list(args), {name: kwargs[name] for name in ("x", "y")}) == (["a", 7], {"x": [1], "y": 2})


def test_words_and_other_arguments_keep_their_order(caller):
    ret = caller.function("test.arg", 1, "a", [2], "3", "k=v")

    assert (list(ret["args"]), ret["kwargs"]["k"]) == ([1, "a", [2], 3], "v")


def test_a_function_that_does_not_exist_is_an_error(caller):
    with pytest.raises(NoSuchFunction):
        caller.cmd("no.such")


def test_settings_are_of_the_file_or_its_directory_and_local(caller, tmp_path):
    for path in (tmp_path, tmp_path / "minion"):
        opts = Caller(str(path)).opts
        assert (opts["id"], opts["file_client"]) == ("m1", "local")


def test_settings_given_are_not_changed(tmp_path, caller):
    opts = config.load("minion", str(tmp_path)).opts
    before = dict(opts)

    assert Caller(mopts=opts).cmd("test.echo", 1) == 1
    assert dict(opts) == before
