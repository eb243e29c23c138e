"""The words of `salt-g key`."""

import pytest

from salt_g.cli.key.key_options import Action, action_of, build_parser, included, is_true, overrides, problem

_SAY = "use an option (-L, -a ID, -d ID) or `invite`"


def parsed(*words):
    return build_parser().split(list(words))


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ([], Action("list", "all")),
        (["-L"], Action("list", "all")),
        (["-l", "den"], Action("list", "den")),
        (["-a", "web*"], Action("accept", "web*")),
        (["-A"], Action("accept", "*")),
        (["-D"], Action("delete", "*")),
        (["-r", "x", "-a", "y"], Action("accept", "y")),
        (["-P"], Action("print", "*")),
        (["-F"], Action("finger", "*")),
        (["--gen-keys", "web2"], Action("gen_keys", "web2")),
        (["--gen-signature"], Action("gen_signature", "")),
    ],
)
def test_one_action_counts(words, action):
    assert action_of(parsed(*words)[0]) == action


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["-l", "foo"], "'foo' is not a valid argument to '--list'"),
        (["--keysize", "1024"], "The minimum value for keysize is 2048"),
        (["--keysize", "16384"], "The maximum value for keysize is 8192"),
        (["-D", "x"], "Delete all takes no arguments. Use -d to delete specified keys"),
        (["-L", "x"], ""),
        (["-F", "master"], ""),
        (["accept", "x"], "unexpected argument: accept; perhaps you meant: salt-g key -a x"),
        (["delete"], "unexpected argument: delete; perhaps you meant: salt-g key -d ID"),
        (["list", "all"], "unexpected argument: list; perhaps you meant: salt-g key -L"),
        (["web1"], f"unexpected argument: web1; {_SAY}"),
        (["-a", "web1", "web2"], f"unexpected argument: web2; {_SAY}"),
    ],
)
def test_contradictory_options_are_reported(words, text):
    assert problem(*parsed(*words)) == text


def test_further_states_depend_on_the_verb():
    options = parsed("--include-all", "--include-denied")[0]

    assert included(options, "accept") == ("rejected", "denied")
    assert included(options, "reject") == ("accepted", "denied")
    assert included(parsed("--include-accepted")[0], "accept") == ()


def test_words_become_settings():
    options = parsed("-u", "salt", "--log-file", "/x", "--out=json", "--no-color")[0]

    assert overrides(options) == {
        "user": "salt",
        "key_logfile": "/x",
        "output": "json",
        "color": False,
        "__cli": "salt-key",
    }


def test_only_a_plain_no_means_no():
    assert not is_true("False")
    assert is_true("True")
    assert is_true("foo")
