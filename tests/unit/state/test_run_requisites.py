"""Effects of a state's failures and changes on other states, with the real `test` states."""


def test_a_failure_cascades_over_require(state_engine, comments):
    engine = state_engine(
        {
            "a": {
                "f": "test.fail_without_changes",
                "r": {"test.nop": [{"require": [{"test": "f"}]}]},
                "c": {"test.nop": [{"require": [{"test": "r"}]}]},
            }
        }
    )

    running = engine.apply_sls(["a"])

    assert comments(running)["r"] == "One or more requisite failed: a.f"
    assert comments(running)["c"] == "One or more requisite failed: a.r"
    assert running["test_|-c_|-c_|-nop"]["__state_ran__"] is False


def test_a_watch_runs_mod_watch_only_after_changes(state_engine, comments):
    engine = state_engine(
        {
            "a": {
                "c": "test.succeed_with_changes",
                "n": "test.nop",
                "fires": {"test.nop": [{"watch": [{"test": "c"}]}]},
                "quiet": {"test.nop": [{"watch": [{"test": "n"}]}]},
                "own": {"test.succeed_with_changes": [{"watch": [{"test": "c"}]}]},
            }
        }
    )

    running = engine.apply_sls(["a"])

    assert comments(running)["fires"] == "Watch statement fired."
    assert comments(running)["quiet"] == comments(running)["own"] == "Success!"
    assert running["test_|-fires_|-fires_|-nop"]["changes"] == {"Requisites with changes": ["test: c"]}
    assert running["test_|-fires_|-fires_|-nop"]["__run_num__"] == 3


def test_a_prereq_runs_only_before_a_change(state_engine, comments):
    engine = state_engine(
        {
            "a": {
                "p": {"test.nop": [{"prereq": [{"test": "c"}]}]},
                "c": "test.succeed_with_changes",
                "q": {"test.nop": [{"prereq": [{"test": "n"}]}]},
                "n": "test.nop",
            }
        }
    )

    running = engine.apply_sls(["a"])

    assert comments(running)["p"] == "Success!"
    assert comments(running)["q"] == "No changes detected"
    assert [ret["__run_num__"] for ret in running.values()] == [0, 1, 2, 3]


def test_a_failed_prereq_leaves_its_state_undone(state_engine, comments, results):
    engine = state_engine(
        {
            "a": {
                "p": {"test.fail_without_changes": [{"prereq": [{"test": "c"}]}]},
                "c": "test.succeed_with_changes",
                "after": {"test.nop": [{"require": [{"test": "c"}]}]},
            }
        }
    )

    running = engine.apply_sls(["a"])

    assert comments(running)["c"] == "If we weren't testing, this would be successful with changes"
    assert results(running) == {"p": False, "c": None, "after": True}


def test_failhard_ends_the_run_but_listeners_still_react(state_engine, results):
    engine = state_engine(
        {
            "a": {
                "c": {"test.succeed_with_changes": [{"listen_in": [{"test": "l"}]}]},
                "l": "test.nop",
                "f": {"test.fail_without_changes": [{"failhard": True}]},
                "never": "test.nop",
            }
        }
    )

    running = engine.apply_sls(["a"])

    assert list(results(running)) == ["c", "l", "f", "listener_l"]


def test_failhard_of_the_settings_can_be_undone_by_a_state(state_engine, results):
    engine = state_engine(
        {
            "a": {
                "f": {"test.fail_without_changes": [{"failhard": False}]},
                "g": "test.fail_without_changes",
                "never": "test.nop",
            }
        },
        opts={"failhard": True},
    )

    assert list(results(engine.apply_sls(["a"]))) == ["f", "g"]


def test_failhard_counts_for_nothing_in_test_mode(state_engine, results):
    engine = state_engine(
        {"a": {"f": {"test.fail_without_changes": [{"failhard": True}]}, "n": "test.nop"}},
        opts={"test": True},
    )

    assert list(results(engine.apply_sls(["a"]))) == ["f", "n"]


def test_a_listener_runs_once_for_many_changes(state_engine):
    change = {"test.succeed_with_changes": [{"listen_in": [{"test": "l"}]}]}
    engine = state_engine({"a": {"l": "test.nop", "c": dict(change), "d": dict(change)}})

    running = engine.apply_sls(["a"])

    assert list(running)[-1] == "test_|-listener_l_|-l_|-mod_watch"
    assert len(running) == 4


def test_a_listener_does_not_react_without_changes(state_engine):
    engine = state_engine({"a": {"l": {"test.nop": [{"listen": [{"test": "n"}]}]}, "n": "test.nop"}})

    assert len(engine.apply_sls(["a"])) == 2


def test_listening_to_nothing_is_an_entry_of_its_own(state_engine):
    engine = state_engine({"a": {"l": {"test.nop": [{"listen": [{"test": "zz"}]}]}}})

    running = engine.apply_sls(["a"])

    assert running["Listen_Error_|-listen_zz_|-listen_test_|-Listen_Error"] == {
        "comment": "Referenced state test: zz does not exist",
        "name": "listen_test:zz",
        "result": False,
        "changes": {},
        "__run_num__": 1,
    }


def test_a_service_may_watch_the_file_that_includes_it(state_engine):
    engine = state_engine(
        {
            "web.config": {
                "include": ["web.package", "web.service"],
                "conf": {"test.succeed_with_changes": [{"require": [{"sls": "web.package"}]}]},
            },
            "web.package": {"pkg": "test.nop"},
            "web.service": {
                "include": ["web.config"],
                "srv": {
                    "test.nop": [{"watch": [{"sls": "web.config"}]}, {"require": [{"sls": "web.package"}]}]
                },
            },
        }
    )

    returns = engine.apply_sls(["web.service"])

    assert [tag.split("_|-")[1] for tag in returns] == ["pkg", "conf", "srv"]
    assert returns["test_|-srv_|-srv_|-nop"]["comment"] == "Watch statement fired."


def test_a_beacon_for_a_module_without_them_fails_after_all_states(state_engine, comments):
    engine = state_engine({"a": {"b": {"test.nop": [{"beacon": True}]}, "c": "test.nop"}})

    running = engine.apply_sls(["a"])

    assert list(comments(running)) == ["b", "c", "beacon_b"]
    assert running["test_|-beacon_b_|-b_|-mod_beacon"]["result"] is False
    assert "'test.mod_beacon' was not found" in comments(running)["beacon_b"]
