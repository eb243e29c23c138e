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
