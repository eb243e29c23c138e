"""SLS names to high data: includes, conflicts, errors of all files at once."""

import pytest

from salt_g.errors import CompileError, RenderError


def ids_by_order(chunks):
    return [chunk["__id__"] for chunk in chunks]


def refused(engine, names):
    with pytest.raises(CompileError) as caught:
        engine.high_of_sls(names)
    return caught.value.messages


def test_included_states_come_first_and_know_their_includers(state_engine):
    engine = state_engine(
        {
            "a": {"include": ["b"], "x": "test.nop"},
            "b": {"include": ["c"], "y": "test.nop"},
            "c": {"z": "test.nop"},
        }
    )

    chunks = engine.low_of_sls(["a"])

    assert ids_by_order(chunks) == ["z", "y", "x"]
    assert chunks[0]["__sls_included_from__"] == ["b", "a"]
    assert "__sls_included_from__" not in chunks[2]


def test_a_circle_of_includes_is_cut(state_engine):
    engine = state_engine(
        {"a": {"include": ["b"], "x": "test.nop"}, "b": {"include": ["a"], "y": "test.nop"}}
    )

    assert ids_by_order(engine.low_of_sls(["a"])) == ["y", "x"]


def test_a_deep_chain_of_includes_is_followed(state_engine):
    tree = {f"s{n}": {"include": [f"s{n + 1}"], f"i{n}": "test.nop"} for n in range(100)}
    engine = state_engine({**tree, "s100": {"last": "test.nop"}})

    assert len(engine.low_of_sls(["s0"])) == 101


def test_relative_includes_count_from_the_file(state_engine):
    engine = state_engine(
        {
            "p": {"include": [".r"], "i": "test.nop"},
            "p.r": {"include": ["..top"], "r": "test.nop"},
            "top": {"t": "test.nop"},
        }
    )

    assert ids_by_order(engine.low_of_sls(["p"])) == ["t", "r", "i"]


def test_a_relative_include_beyond_the_top_is_reported(state_engine):
    messages = refused(state_engine({"a": {"include": ["...x"]}}), ["a"])

    assert messages == [
        "Attempted relative include of '...x' within SLS 'base:a' goes beyond top level package "
    ]


def test_wildcards_match_what_there_is_in_order(state_engine):
    engine = state_engine({"a": {"include": ["g.*"]}, "g.two": {"t": "test.nop"}, "g.one": {"o": "test.nop"}})

    assert ids_by_order(engine.low_of_sls(["a"])) == ["o", "t"]


def test_an_include_may_name_another_environment(state_engine):
    engine = state_engine(trees={"base": {"a": {"include": [{"dev": "x"}]}}, "dev": {"x": {"i": "test.nop"}}})

    assert engine.low_of_sls(["a"])[0]["__env__"] == "dev"


def test_xenv_without_a_match_lists_the_environments(state_engine):
    messages = refused(state_engine({"a": {"include": [{"_xenv": "gone"}]}}), ["a"])

    assert messages == [
        "Unknown include: Specified SLS _xenv: gone is not available on the salt master in saltenv(s): base "
    ]


def test_every_file_is_looked_at_before_anything_is_reported(state_engine):
    engine = state_engine({"a": {"include": ["gone", "b"]}, "b": RenderError("bad"), "c": ["no mapping"]})

    messages = refused(engine, ["a", "c", "missing"])

    assert messages[1] == "Rendering SLS 'base:b' failed: bad"
    assert messages[0].startswith("Specified SLS gone in saltenv base is not available")
    assert "SLS c does not render to a dictionary" in messages
    assert "No matching sls found for 'missing' in env 'base'" in messages


@pytest.mark.parametrize("error", [ValueError("odd"), SystemExit("odd")])
def test_an_error_of_a_renderer_is_returned_with_its_traceback(state_engine, error):
    messages = refused(state_engine({"a": error}), ["a"])

    assert messages[0].startswith("Rendering SLS a failed, render error: odd\nTraceback")


def test_one_id_in_two_files_is_a_conflict_at_both(state_engine, caplog):
    messages = refused(state_engine({"a": {"x": "test.nop"}, "b": {"x": "test.fail"}}), ["a", "b"])

    assert messages == [
        "Detected conflicting IDs, SLS IDs need to be globally unique.\n"
        "    The conflicting ID is 'x' and is found in SLS 'base:a' and SLS 'base:b'"
    ]
    (error,) = [record.message for record in caplog.records if "conflicting" in record.message]
    assert error.startswith("salt://b.sls (base): ")
    assert "; and salt://a.sls (base)" in error


def test_a_finding_is_logged_with_place_chain_and_nearest_name(state_engine, caplog):
    engine = state_engine({"a": {"include": ["webb"]}, "web": {}})

    refused(engine, ["a"])

    assert "salt://a.sls (base): Specified SLS webb" in caplog.text
    assert "nearest: 'web'" in caplog.text


def test_an_unknown_environment_is_named_with_the_nearest(state_engine, caplog):
    messages = refused(state_engine({"a": {}}, opts={"saltenv": "bas"}), ["a"])

    assert messages == [
        "No matching salt environment for environment 'bas' found",
        "No matching sls found for 'a' in env 'bas'",
    ]
    assert "nearest: 'base'" in caplog.text
    assert "environments that have files: base" in caplog.text


def test_high_data_with_malformed_changes_is_refused(state_engine):
    with pytest.raises(CompileError) as caught:
        state_engine().apply_high({"__extend__": [5], "a": {"test": ["nop"]}})

    assert caught.value.messages == ["High data is invalid: __extend__ is not a list of dictionaries of IDs"]


def test_high_data_that_is_not_a_mapping_is_refused(state_engine):
    with pytest.raises(CompileError) as caught:
        state_engine().apply_high([1])

    assert caught.value.messages == ["High data is not a dictionary and is invalid"]
