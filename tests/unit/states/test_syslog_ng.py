import pytest

from salt_g.states import syslog_ng


@pytest.fixture
def called(call_context):
    """Return a function that enters a call, and returns the called functions with their arguments."""
    calls = []

    def record(function):
        def run(*arguments, **keywords):
            calls.append((function, *arguments, keywords))
            return {"name": "n", "result": True, "changes": {"old": "", "new": "text"}, "comment": ""}

        return run

    def enter(*, test=False):
        names = ("config", "start", "stop", "reload")
        call_context(functions={f"syslog_ng.{name}": record(name) for name in names}, opts={"test": test})
        return calls

    return enter


def test_states_return_what_the_functions_did(called):
    calls = called()

    assert syslog_ng.config("source.a", [{"x": 1}])["changes"]["new"] == "text"
    syslog_ng.started("n", user="u")
    syslog_ng.stopped("n")
    syslog_ng.reloaded("n")

    assert [one[0] for one in calls] == ["config", "start", "stop", "reload"]
    assert calls[1][-1]["user"] == "u"


def test_in_test_mode_nothing_is_done(called):
    calls = called(test=True)

    shown = syslog_ng.config("source.a", [{"x": 1}])
    others = [syslog_ng.started("n"), syslog_ng.stopped("n"), syslog_ng.reloaded("n")]

    assert shown["result"] is None and shown["changes"]["new"] == "text"
    assert calls == [("config", "source.a", [{"x": 1}], {"write": False})]
    assert [one["result"] for one in others] == [None, None, None]


def test_text_that_is_only_shown_is_the_same_in_test_mode(called):
    calls = called(test=True)

    assert syslog_ng.config("source.a", [{"x": 1}], write=False)["result"] is True
    assert calls == [("config", "source.a", [{"x": 1}], False, {})]
