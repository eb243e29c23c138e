"""State runs of a minion and its resources as one block."""

from salt_g.resource_model.merged_state_runs import merge_state_runs, split_state_runs


def _entry(number, **parts):
    return {"name": "/x", "result": True, "comment": "", "changes": {}, "__run_num__": number, **parts}


def test_ids_of_resources_stand_before_id_and_name_of_the_tag_only_and_numbers_go_on():
    block = merge_state_runs(
        {"file_|-/x_|-/x_|-managed": _entry(0)},
        {"web-02": {"b_|-y_|-z_|-f": _entry(1), "file_|-/x_|-/x_|-managed": _entry(0)}},
    )

    assert list(block) == [
        "file_|-/x_|-/x_|-managed",
        "file_|-web-02 /x_|-web-02 /x_|-managed",
        "b_|-web-02 y_|-web-02 z_|-f",
    ]
    assert [entry["__run_num__"] for entry in block.values()] == [0, 1, 2]
    assert {entry["name"] for entry in block.values()} == {"/x"}


def test_a_run_that_is_not_a_mapping_is_one_failed_entry():
    block = merge_state_runs(
        None, {"d-01": "Function 'state.apply' is not supported", "d-02": ["one", "two"]}
    )

    assert block == {
        "no_|-d-01_|-d-01_|-None": {
            "result": False,
            "comment": "Function 'state.apply' is not supported",
            "name": "d-01",
            "changes": {},
            "__run_num__": 0,
        },
        "no_|-d-02_|-d-02_|-None": {
            "result": False,
            "comment": "one\ntwo",
            "name": "d-02",
            "changes": {},
            "__run_num__": 1,
        },
    }


def test_a_malformed_state_return_is_shown_as_text():
    block = merge_state_runs({}, {"d-01": {"odd": 5}})

    assert block["no_|-d-01_|-d-01_|-None"]["comment"] == "5"
    assert block["no_|-d-01_|-d-01_|-None"]["name"] == "[d-01]"


def test_merged_runs_are_split_again():
    own = {"test_|-a_|-a_|-nop": {"result": True, "__run_num__": 0}}
    runs = {
        "d-01": {
            "test_|-a b_|-a c_|-nop": {"result": True, "__run_num__": 0},
            "pkg_|-vim_|-vim_|-installed": {"result": False, "__run_num__": 1},
        },
        "d-02": "it is gone",
    }

    assert split_state_runs(merge_state_runs(own, runs), runs.__contains__) == (own, runs)


def test_an_id_that_is_not_a_resource_is_part_of_a_name():
    own = {"test_|-d-09 x_|-d-09 x_|-nop": {"result": True}, "x": 5, "no_|-d-08_|-d-08_|-None": {}}

    assert split_state_runs(own, {"d-01"}.__contains__) == (own, {})


def test_a_name_with_the_separator_comes_back_as_it_was():
    running = {"cmd_|-a_|-echo x_|-y_|-run": _entry(0), "cmd_|-b_|-echo_|-run": _entry(1)}

    block = merge_state_runs({}, {"d-01": running})
    _, found = split_state_runs(block, lambda id: id == "d-01")

    assert found == {"d-01": running}
