"""The compiler: all findings of one layer together, and nodes in running order."""

import pytest

from salt_g.errors import CompileError
from salt_g.shapes.high_data import HighData
from salt_g.state.compile.compiler import StateCompiler


def state(*arguments, fun="test.nop", sls="web"):
    module, function = fun.split(".")
    return {module: [*arguments, function], "__sls__": sls, "__env__": "base"}


def compiler(opts=None, functions=(), **options):
    return StateCompiler(opts or {}, has_function=set(functions).__contains__, **options)


def ids(compiled):
    return [(node.low["__id__"], node.is_preview) for node in compiled.nodes]


def test_states_run_in_the_order_of_their_requisites():
    high = {"first": state({"require": [{"test": "second"}]}), "second": state()}

    assert ids(compiler().compile(HighData.of(high))) == [("second", False), ("first", False)]


def test_a_state_that_others_prerequire_is_previewed_before_them():
    compiled = compiler().compile(
        HighData.of({"stop": state({"prereq": [{"test": "deploy"}]}), "deploy": state()})
    )

    assert ids(compiled) == [("deploy", True), ("stop", False), ("deploy", False)]
    assert [(low["__id__"], "__prereq__" in low, "__prerequiring__" in low) for low in compiled.low()] == [
        ("deploy", True, False),
        ("stop", False, True),
        ("deploy", True, False),
    ]


def test_every_finding_of_a_layer_is_reported_and_the_next_layers_do_not_run():
    reported = []
    high = {
        "one": {"test": [], "__sls__": "web", "__env__": "base"},
        "two": {"test": "nop", "__sls__": "web", "__env__": "base"},
        "three": state({"require": [{"test": "nosuch"}]}),
    }

    with pytest.raises(CompileError) as caught:
        compiler(report=lambda problems: reported.extend(problems) or ["a place"]).compile(HighData.of(high))

    assert len(caught.value.messages) == len(reported) == 2
    assert not any("nosuch" in problem for problem in caught.value.messages)
    assert caught.value.places == ["a place"]


def test_requisites_that_dangle_or_go_in_a_circle_are_refused():
    with pytest.raises(CompileError, match="nosuch"):
        compiler().compile(HighData.of({"one": state({"require": [{"test": "nosuch"}]})}))
    with pytest.raises(CompileError, match="(?i)recursive"):
        compiler().compile(
            HighData.of(
                {
                    "one": state({"require": [{"test": "two"}]}),
                    "two": state({"require": [{"test": "one"}]}),
                }
            )
        )


def test_an_sls_other_than_a_mapping_is_not_high_data():
    with pytest.raises(CompileError, match="High data is not a dictionary"):
        compiler().read(["web"])


def test_extensions_and_mirrored_requisites_and_exclusions_apply():
    high = {
        "one": state(),
        "two": state({"require_in": [{"test": "one"}]}),
        "gone": state(),
        "__extend__": [{"one": {"test": [{"name": "new"}], "__sls__": "web", "__env__": "base"}}],
        "__exclude__": [{"id": "gone"}],
    }

    compiled = compiler().compile(HighData.of(high))

    assert ids(compiled) == [("two", False), ("one", False)]
    assert compiled.nodes[1].low["name"] == "new"


def test_plain_compiling_leaves_mirrored_requisites_alone_unless_wanted():
    def high():
        return HighData.of({"one": state(), "two": state({"require_in": [{"test": "one"}]})})

    assert [id for id, _ in ids(compiler().compile_plain(high()))] == ["one", "two"]
    assert [id for id, _ in ids(compiler().compile_plain(high(), with_mirrored=True))] == ["two", "one"]


@pytest.mark.parametrize("kinds", ["require", ["require"]])
def test_disabled_requisites_are_as_if_they_were_not_written(kinds):
    high = {"first": state({"require": [{"test": "second"}]}), "second": state()}

    assert ids(compiler({"disabled_requisites": kinds}).compile(HighData.of(high)))[0] == ("first", False)


def test_the_closure_of_a_state_has_all_that_it_needs():
    high = {
        "other": state(),
        "wanted": state({"require": [{"test": "needed"}]}),
        "needed": state({"require": [{"test": "deep"}]}),
        "deep": state(),
    }
    compiled = compiler().compile(HighData.of(high))

    kept = compiled.closure(lambda low: low["__id__"] == "wanted")

    assert [node.low["__id__"] for node in kept] == ["deep", "needed", "wanted"]


def test_states_that_may_be_called_together_are_grouped():
    high = {name: state(fun="pkg.installed") for name in ("one", "two")}

    grouped = compiler({"state_aggregate": True}, ["pkg.mod_aggregate"]).compile(HighData.of(high))

    assert len({id(group) for group in grouped.groups.values()}) == 1
    assert compiler({"state_aggregate": True}).compile(HighData.of(high)).groups == {}
    assert compiler({}, ["pkg.mod_aggregate"]).compile(HighData.of(high)).groups == {}


def test_chunks_are_shown_in_their_order_without_groups():
    high = {
        "one": state({"order": 1}, fun="pkg.installed"),
        "needing": state({"order": 2}, {"require": [{"pkg": "one"}]}),
        "two": state({"order": 3}, fun="pkg.installed"),
    }

    compiled = compiler({"state_aggregate": True}, ["pkg.mod_aggregate"]).compile(HighData.of(high))

    assert [node.low["__id__"] for node in compiled.nodes] == ["one", "two", "needing"]
    assert [low["__id__"] for low in compiled.low()] == ["one", "needing", "two"]
