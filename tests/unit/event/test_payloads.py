"""Data of events, which is that of stock."""

from salt_g.event import payloads

JID = "20260102030405678901"
JOB = {"jid": JID, "tgt": "*", "tgt_type": "glob", "user": "root", "fun": "test.ping", "arg": [], "key": "s"}


def test_a_new_job_shows_its_expected_minions_and_no_secret():
    assert payloads.job_new(JOB, ["m1"], ["m2"]) == (
        f"salt/job/{JID}/new",
        {
            "jid": JID,
            "tgt": "*",
            "tgt_type": "glob",
            "user": "root",
            "fun": "test.ping",
            "arg": [],
            "minions": ["m1"],
            "missing": ["m2"],
        },
    )


def test_a_return_is_the_load_under_the_tag_of_its_minion():
    load = {"cmd": "_return", "jid": JID, "id": "m1", "return": True}

    draft = payloads.job_return(load)

    assert draft == (f"salt/job/{JID}/ret/m1", load)
    assert draft.data is not load


def test_a_refused_job_says_why():
    draft = payloads.job_error({"jid": JID, "fun": "f"}, {"error": {"name": "AuthorizationError"}})

    assert draft == (
        f"salt/job/{JID}/error",
        {"jid": JID, "fun": "f", "error": {"name": "AuthorizationError"}},
    )


def test_a_sign_in_says_what_became_of_it():
    assert payloads.auth("pend", "m1", "PEM", result=True) == (
        "salt/auth",
        {"result": True, "act": "pend", "id": "m1", "pub": "PEM"},
    )
    assert payloads.auth("pend", "m1", "P", result=True, autosign_grains={"a": 1}).data[
        "autosign_grains"
    ] == {"a": 1}


def test_a_changed_key_is_reported_with_the_key_that_is_left():
    assert payloads.key_changed("delete", "m1") == ("salt/key", {"result": True, "act": "delete", "id": "m1"})
    assert payloads.key_changed("accepted", "m1", pub="PEM").data["pub"] == "PEM"


def test_presence_reports_changes_only_when_there_are_any():
    assert list(payloads.presence({"b", "a"}, {"a", "c"})) == [
        ("salt/presence/change", {"new": ["b"], "lost": ["c"]}),
        ("salt/presence/present", {"present": ["a", "b"]}),
    ]
    assert [draft.tag for draft in payloads.presence(["a"], ["a"])] == ["salt/presence/present"]


def test_runners_and_wheels_begin_and_end_alike():
    assert payloads.run_new(JID, "jobs.active", "root", [1]) == (
        f"salt/run/{JID}/new",
        {"fun": "runner.jobs.active", "jid": JID, "user": "root", "fun_args": [1]},
    )
    assert payloads.wheel_return(JID, "key.list_all", "root", {}, success=True) == (
        f"salt/wheel/{JID}/ret",
        {
            "fun": "wheel.key.list_all",
            "jid": JID,
            "user": "root",
            "fun_args": [],
            "return": {},
            "success": True,
        },
    )
    assert payloads.wheel_new(JID, "f", "u").tag == f"salt/wheel/{JID}/new"
    assert payloads.run_return(JID, "f", "u", 1, success=False).data["success"] is False


RUNNING = {
    "pkg_|-web_|-nginx_|-installed": {"result": False, "comment": "no", "name": "nginx"},
    "file_|-x_|-x_|-managed": {"result": True},
    "cmd_|-y_|-y_|-run": {"result": None},
}
FAILED = {
    "result": False,
    "comment": "no",
    "name": "nginx",
    "retcode": 2,
    "jid": JID,
    "id": "m1",
    "success": False,
    "return": "Error: pkg.installed",
    "fun": "state.sls",
    "user": "root",
}
LOAD = {"jid": JID, "id": "m1", "user": "root", "retcode": 2, "fun": "state.sls", "return": RUNNING}


def test_each_failed_state_of_a_run_is_reported():
    assert list(payloads.failed_states(LOAD)) == [(f"salt/job/{JID}/sub/m1/error/state.sls", FAILED)]


def test_failed_states_of_several_functions_are_reported():
    by_name = {
        **LOAD,
        "fun": ["test.ping", "state.sls"],
        "retcode": {"test.ping": 0, "state.sls": 2},
        "return": {"test.ping": True, "state.sls": RUNNING},
    }
    by_place = {**by_name, "retcode": [0, 2], "return": [True, RUNNING]}

    assert [draft.data for draft in payloads.failed_states(by_name)] == [FAILED]
    assert [draft.data for draft in payloads.failed_states(by_place)] == [FAILED]


def test_good_runs_other_functions_and_nonsense_have_no_failed_states():
    odd = [
        {**LOAD, "retcode": 0},
        {**LOAD, "fun": "test.ping"},
        {**LOAD, "return": ["Rendering failed"]},
        {**LOAD, "return": {"a": "b"}},
        {**LOAD, "fun": ["state.sls"], "retcode": 2, "return": 7},
        {"jid": JID},
    ]

    assert [draft for load in odd for draft in payloads.failed_states(load)] == []


def test_the_rest_have_their_shapes():
    assert payloads.key_rotated() == ("key", {"rotate_aes_key": True})
    assert payloads.minion_refreshed("m1") == ("minion/refresh/m1", {"Minion data cache refresh": "m1"})
    assert payloads.resources_refreshed("m1").data == {"Resource cache refresh": "m1"}
    assert payloads.job_publish(JOB) == (f"salt/job/{JID}/publish", JOB)
    assert payloads.files_changed("roots", added=["a"], removed=[], changed=True) == (
        "salt/fileserver/roots/update",
        {"changed": True, "files": {"changed": [], "removed": [], "added": ["a"]}, "backend": "roots"},
    )
    assert payloads.master_stats("w", 60.0, {"_return": {"runs": 1}}).data["time"] == 60.0


def test_an_order_in_the_mailbox_names_its_minions():
    assert payloads.mail("7", "delivered", ["m1"], jid=JID) == (
        "salt/mailbox/7/delivered",
        {"order": "7", "minions": ["m1"], "jid": JID},
    )


def test_digests_of_a_state_run_are_not_in_its_event():
    load = {"cmd": "_return", "jid": JID, "id": "m1", "return": {}, "low_digests": b"x" * 8}

    assert "low_digests" not in payloads.job_return(load).data
    assert "low_digests" in load


def test_a_rollout_reports_its_counts_and_a_wave():
    wave = {"size": 2, "state": "done", "minions": ["a", "b"], "failed": {"b": "no answer"}, "done": 1}
    status = {
        "jid": "7", "function": "state.apply", "arguments": [], "target": "*", "user": "ann",
        "state": "running",
        "waves": [wave], "reached": 2, "total": 4, "untouched": 2, "stopped": None, "undone": 0,
        "started": 0.0, "ended": None, "away": [], "undo_failed": {},
    }  # fmt: skip

    result = payloads.rollout(status, "wave", 0)

    assert result.tag == "salt/rollout/7/wave"
    assert (result.data["jid"], result.data["waves"], result.data["failed"], result.data["reached"]) == (
        "7",
        1,
        1,
        2,
    )
    assert result.data["wave"] == {
        "number": 1, "size": 2, "state": "done", "done": 1, "failed": {"b": "no answer"},
    }  # fmt: skip
    assert "wave" not in payloads.rollout(status, "end", 1).data
