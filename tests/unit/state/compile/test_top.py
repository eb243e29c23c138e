"""Top files."""

import pytest

from salt_g.errors import CompileError, RenderError
from salt_g.state.compile.top import merge, merge_all, merge_same, only_listed, verify_top

TOPS = {
    "base": [{"base": {"*": ["a"]}, "dev": {"*": ["d"]}}],
    "dev": [{"dev": {"*": ["e", "d"]}, "base": {"*": ["b"]}}],
    "qa": [{"qa": {"*": ["q"]}}],
}


def test_merge_lets_base_decide():
    assert merge(TOPS) == {"base": {"*": ["a"]}, "dev": {"*": ["d"]}, "qa": {"*": ["q"]}}


def test_same_lets_each_environment_decide_for_itself():
    tops = {**TOPS, "qa": [{}]}

    assert merge_same(tops, default_top="base") == {"base": {"*": ["a"]}, "dev": {"*": ["e", "d"]}}


def test_merge_all_joins_targets():
    assert merge_all(TOPS)["base"] == {"*": ["a", "b"]}
    assert merge_all(TOPS)["dev"] == {"*": ["d", "e"]}


def test_an_environment_without_targets_is_an_error():
    with pytest.raises(RenderError, match=r"^Unable to render top file\. No targets found\.$"):
        merge({"base": [{"base": None}]})


def test_malformed_tops_are_named():
    messages = [problem.message for problem in verify_top({"base": {"*": "a"}, "": {"*": [""]}})]

    assert messages == [
        "Malformed topfile: state declarations for matcher '*' in saltenv 'base' "
        "are not formed as a list (got str)",
        "Empty saltenv statement in top file",
        "Environment  contains an empty sls index",
    ]


def test_a_whitelist_keeps_what_it_names():
    assert only_listed({"base": ["a", "b"], "dev": ["d"]}, "b,c") == {"base": ["b"]}


def test_a_top_gives_sls_in_order_and_may_point_to_other_environments(state_engine):
    engine = state_engine(
        trees={
            "base": {
                "top": {"base": {"*": ["b", {"dev": "x"}, {"match": "glob"}], "nobody": ["never"]}},
                "b": {},
            },
            "dev": {"x": {}},
        }
    )

    assert engine.top_matches() == {"base": ["b"], "dev": ["x"]}


def test_a_top_may_include_others_and_filter_further(state_engine):
    engine = state_engine(
        {
            "top": {
                "include": ["more.*"],
                "base": {"*": [{"subfilter": {"unit": ["s"], "other": ["never"]}}]},
            },
            "more.top": {"base": {"unit": ["m"]}},
        }
    )

    assert engine.top_matches() == {"base": ["s", "m"]}


def test_a_saltenv_narrows_to_its_own_top(state_engine):
    engine = state_engine(
        trees={"base": {"top": TOPS["base"][0]}, "dev": {"top": TOPS["dev"][0]}}, opts={"saltenv": "dev"}
    )

    assert engine.top_matches() == {"dev": ["e", "d"]}


@pytest.mark.parametrize(
    ("tree", "comment"),
    [
        ({}, "No Top file or master_tops data matches found. Please see master log for details."),
        (
            {"top": RenderError("bad")},
            "No Top file or master_tops data matches found. Please see master log for details.",
        ),
        ({"top": {"base": None}}, "Unable to render top file: Unable to render top file. No targets found."),
        ({"top": {"base": {"*": ["a"]}}, "a": {}}, "No states found for this minion"),
    ],
)
def test_a_highstate_without_states_says_why(state_engine, tree, comment):
    running = state_engine(tree).apply_highstate()

    assert running == {
        "no_|-states_|-states_|-None": {
            "result": False,
            "comment": comment,
            "name": "No States",
            "changes": {},
            "__run_num__": 0,
        }
    }


def test_a_malformed_top_is_a_compile_error(state_engine):
    with pytest.raises(CompileError):
        state_engine({"top": {"base": {"*": "a"}}}).apply_highstate()


def test_usage_reports_used_from_unused(state_engine):
    engine = state_engine({"top": {"base": {"*": ["a"]}}, "a": {}, "b": {}})

    assert engine.usage() == {
        "base": {"used": ["a"], "unused": ["b", "top"], "count_all": 3, "count_used": 1, "count_unused": 2}
    }


def test_the_last_high_data_can_be_run_again(state_engine):
    engine = state_engine({"top": {"base": {"*": ["a"]}}, "a": {"x": "test.nop"}})
    engine.apply_highstate()

    again = engine.apply_cached()

    assert list(again) == ["test_|-x_|-x_|-nop"]
    assert engine.cache.clear() == ["highstate.cache.p"]
    assert engine.apply_cached() is None
