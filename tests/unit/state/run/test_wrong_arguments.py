"""Wrong arguments of states, as a run reports them: unknown, missing, misspelt, of the wrong type."""

import pytest

from salt_g import api
from salt_g.errors import InvocationError


def test_unknown_arguments_end_the_run_and_the_log_names_the_nearest(state_engine, caplog):
    engine = state_engine({"a": {"x": {"test.configurable_test_state": [{"resullt": True}, {"other": 1}]}}})

    with pytest.raises(InvocationError) as caught:
        engine.apply_sls(["a"])

    assert str(caught.value) == (
        "'resullt' and 'other' are invalid keyword arguments for 'test.configurable_test_state'"
    )
    assert "'result'" in caplog.text


def test_a_missing_argument_is_logged_with_what_was_given_instead(state_engine, caplog, one):
    def taking(name, device):
        """Return nothing."""

    engine = state_engine({"a": {"x": {"my.fun": [{"devic": "/dev/x"}]}}}, states={"my.fun": taking})

    assert one(engine.apply_sls(["a"]))["comment"] == "Missing parameter device for state my.fun\n"
    assert (
        "a: state 'my.fun' (ID 'x') is missing the argument 'device'; similar ones given: 'devic'"
        in caplog.text
    )


def test_an_argument_of_the_wrong_type_is_reported_in_a_sentence_beside_the_traceback(
    state_engine, caplog, results
):
    def written(name: str, mode: str = "0644"):
        return {"name": name, "result": mode.isdigit(), "changes": {}, "comment": ""}

    engine = state_engine({"a": {"x": {"f.written": [{"mode": ["1"]}]}}}, states={"f.written": written})

    running = engine.apply_sls(["a"])

    sentence = """salt://a.sls (base): f.written: "mode" is a list, expected text (ID 'x')"""
    assert "AttributeError" in running["f_|-x_|-x_|-written"]["comment"]
    assert sentence in caplog.messages
    assert api.current().scratch["places"] == [sentence]


def test_a_misspelt_keyword_that_a_state_takes_is_reported_once(state_engine, caplog):
    def written(name: str, makedirs: bool = False, **kwargs):
        return {"name": name, "result": False, "changes": {}, "comment": ""}

    arguments = [{"makedir": True}, {"retry": {"attempts": 2, "interval": 1}}]
    engine = state_engine({"a": {"x": {"f.written": arguments}}}, states={"f.written": written})

    engine.apply_sls(["a"])

    wanted = (
        "salt://a.sls (base): f.written: the argument 'makedir' is not known; nearest: 'makedirs' (ID 'x')"
    )
    assert [message for message in caplog.messages if "makedir" in message] == [wanted]


def test_warnings_of_a_misspelt_keyword_come_before_the_states_own(state_engine):
    def written(name: str, contents: str = "", **kwargs):
        return {"name": name, "result": True, "changes": {}, "comment": "", "warnings": ["its own"]}

    engine = state_engine({"a": {"x": {"f.written": [{"content": "a"}]}}}, states={"f.written": written})

    ret = engine.apply_sls(["a"])["f_|-x_|-x_|-written"]

    assert ret["warnings"] == [
        "f.written: the argument 'content' is not known; nearest: 'contents'",
        "its own",
    ]


def test_strict_arguments_keep_such_a_state_from_running(state_engine):
    called = []

    def written(name: str, contents: str = "", **kwargs):
        called.append(name)

    engine = state_engine({"a": {"x": {"f.written": [{"content": "a"}]}}}, states={"f.written": written})

    with api.use(api.current().with_opts(state_strict_arguments=True)):
        ret = engine.apply_sls(["a"])["f_|-x_|-x_|-written"]

    assert called == []
    assert (ret["result"], ret["comment"]) == (False, "State was not run because of unknown arguments")
    assert ret["warnings"] == ["f.written: the argument 'content' is not known; nearest: 'contents'"]
