"""Placeholders for minions that did not return."""

import pytest

from salt_g.client import return_collector
from salt_g.client.missing_returns import SILENT, silent_return

JID = "20260102030405678901"


class Watch:
    jid = JID

    def __init__(self, verdict):
        self.verdict = lambda id: verdict


@pytest.mark.parametrize(
    ("verdict", "word", "is_looked_up"),
    [
        (return_collector.NOT_CONNECTED, "[Not connected]", False),
        (return_collector.NOT_RUNNING, "[Not running]", False),
        (return_collector.RUNNING, "[Running]", True),
        (return_collector.NO_ANSWER, "[No response]", True),
    ],
)
def test_each_verdict_has_its_words_and_the_command_where_a_return_may_come(verdict, word, is_looked_up):
    result = silent_return(Watch(verdict), "web1")

    assert result["ret"].startswith(f"{SILENT} {word}")
    assert result["ret"].endswith(f"salt-g run jobs.lookup_jid {JID}") is is_looked_up
    assert (result["out"], result["retcode"]) == ("no_return", 1)


def test_every_verdict_of_the_tracker_on_a_silent_minion_has_words():
    tracker = return_collector.ReturnCollector(JID, ["web1"], timeout=5, gather_timeout=5, now=0)

    assert silent_return(tracker, "web1")["ret"].startswith(SILENT)
