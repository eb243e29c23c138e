"""Lines and words of `salt-g mailbox`."""

import pytest

from salt_g.cli.fleet import mailbox

ORDER = {
    "order": "20261123140301123456",
    "user": "ann",
    "fun": "state.apply",
    "arg": ["web", {"__kwarg__": True, "test": True}],
    "until": 0.0,
    "waiting": [],
    "sent": {},
}


def test_an_order_is_one_line():
    line = mailbox.line_of({**ORDER, "waiting": [f"m{n}" for n in range(7)], "sent": {"m9": "J"}})

    assert line.startswith("20261123140301123456  ann  state.apply web test=True  until 19")
    assert line.endswith("  waits for m0, m1, m2, m3, m4 and 2 more  not returned by m9")


def test_an_order_of_another_user_controls_no_terminal():
    assert "\x1b" not in mailbox.line_of({**ORDER, "arg": ["web\x1b[2K"]})


@pytest.mark.parametrize("words", [["drop"], ["lost"], []])
def test_wrong_words_are_refused(words, capsys):
    with pytest.raises(SystemExit) as ended:
        mailbox.main(words)

    assert ended.value.code == 64


def test_an_empty_mailbox_is_reported_beside_the_output(link, tmp_path, capsys):
    link.reply = {"orders": []}

    assert mailbox.main(["list", "-c", str(tmp_path)]) == 0
    assert capsys.readouterr() == ("", "no orders are waiting\n")
    assert mailbox.main(["list", "-c", str(tmp_path), "--out", "json"]) == 0
    assert capsys.readouterr() == ("[]\n", "")


@pytest.mark.parametrize(("number", "words"), [(1, "dropped for 1 minion\n"), (2, "dropped for 2 minions\n")])
def test_a_logged_in_user_drops_orders(link, tmp_path, capsys, number, words):
    link.reply = {"dropped": {ORDER["order"]: number}}
    login = ["-a", "auto", "--username", "ann", "--password", "secret"]

    assert mailbox.main(["drop", ORDER["order"], "-c", str(tmp_path), *login]) == 0
    assert capsys.readouterr().out.endswith(words)
    assert (link.requests[-1]["eauth"], link.requests[-1]["username"]) == ("auto", "ann")
