"""Printed returns."""

from salt_g.cli.cmd import return_output
from salt_g.client.return_collector import MasterEvent, Return, ReturnCollector, RunningQuery

JID = "20260102030405678901"


def test_a_minion_that_did_not_return_has_stocks_words():
    watch = ReturnCollector(JID, ["a", "b"], timeout=5, gather_timeout=5, now=0)
    watch.asked(RunningQuery("1", away=["b"]), 5)

    (_, first), (_, second) = return_output.silent(watch)

    assert first.value.startswith("Minion did not return. [No response]\nThe minions may not have all")
    assert first.value.endswith(f"\n\nsalt-g run jobs.lookup_jid {JID}")
    assert second == return_output.ReturnOutput("Minion did not return. [Not connected]", "no_return", 1)


def test_the_summary_counts_and_names():
    watch = ReturnCollector(JID, ["a", "b", "c"], timeout=5, gather_timeout=5, now=0)
    watch.take(MasterEvent(f"salt/job/{JID}/ret/a", {"id": "a", "return": 1}), 0)
    minions = {
        "a": return_output.ReturnOutput(1),
        "b": return_output.ReturnOutput("no", None, 1),
        **dict(one for one in return_output.silent(watch) if one[0] == "c"),
    }

    text = return_output.summary(minions, watch, verbose=True)

    assert text.splitlines()[2:] == [
        "-------------------------------------------",
        "Summary",
        "-------------------------------------------",
        "# of minions targeted: 3",
        "# of minions returned: 2",
        "# of minions that did not return: 1",
        "# of minions with errors: 1",
        "Minions not responding: c",
        "Minions with failures: b",
        "-------------------------------------------",
    ]


def test_ctrl_c_names_the_lookup_command_and_the_running_minions():
    watch = ReturnCollector(JID, ["a", "b"], timeout=5, gather_timeout=5, now=0)
    watch.running["b"] = {"pid": 7}

    lines = return_output.interrupted(JID, watch).splitlines()

    assert lines[1:3] == [f"This job's jid is: {JID}", "Exiting gracefully on Ctrl-c"]
    assert lines[-2:] == ["Not returned yet: a b", "Known to be running: b"]


def test_a_failure_without_a_code_counts_as_one():
    assert return_output.shown(Return("a", {"return": "x", "retcode": 0, "success": False})).retcode == 1


def test_documentation_is_the_first_text_of_each_function():
    docs = return_output.documentation(
        [{"b": "B", "a": ""}, {"a": "A", "b": "other"}, "Minion did not return."]
    )

    assert docs == {"a": "A", "b": "B"}


def test_places_are_reported_once_with_the_minions_that_name_them():
    minions = {
        "b": return_output.ReturnOutput([], places=("salt://x.sls:3 (base)",)),
        "a": return_output.ReturnOutput([], places=("salt://x.sls:3 (base)", "salt://\x1b[2J.sls")),
        "c": return_output.ReturnOutput(True),
    }

    assert return_output.places(minions) == ["salt://x.sls:3 (base): a, b", "'salt://\\x1b[2J.sls': a"]


def test_a_return_gives_the_places_that_are_texts():
    returned = Return("a", {"return": [], "places": ["salt://x.sls", 3]})

    assert return_output.shown(returned).places == ("salt://x.sls",)
