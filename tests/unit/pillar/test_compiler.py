"""Pillar from trees: targets, merging, includes, environments, errors."""

import pytest

from salt_g.pillar.merging import Merging
from salt_g.render.yamlex import AggregateList, AggregateMap

TOP = "base:\n  '*':\n    - a\n    - b\n"


def test_sls_merge_and_the_later_one_wins(compile_pillar):
    pillar = compile_pillar(
        {
            "base/top.sls": TOP,
            "base/a.sls": "l: [1, 2]\nd: {x: 1, y: {z: 1}}\n",
            "base/b.sls": "l: [3]\nd: {y: {w: 2}}\n",
        }
    )

    assert pillar == {"l": [3], "d": {"x": 1, "y": {"z": 1, "w": 2}}}


@pytest.mark.parametrize(
    ("strategy", "merged"),
    [
        ("recurse", {"l": [3], "d": {"x": 1, "y": 2}, "a": 1}),
        ("aggregate", {"l": [3], "d": {"y": 2}, "a": 1}),
        ("overwrite", {"l": [3], "d": {"y": 2}, "a": 1}),
        ("none", {"l": [3], "d": {"x": 1, "y": 2}, "a": 1}),
        ("list", {}),
        ("nonsense", {"l": [3], "d": {"x": 1, "y": 2}, "a": 1}),
    ],
)
def test_the_strategy_says_how_to_merge(compile_pillar, strategy, merged):
    files = {"base/top.sls": TOP, "base/a.sls": "l: [1]\nd: {x: 1}\na: 1", "base/b.sls": "l: [3]\nd: {y: 2}"}

    assert compile_pillar(files, opts={"pillar_source_merging_strategy": strategy}) == merged


def test_lists_are_joined_when_the_settings_say_so(compile_pillar):
    files = {"base/top.sls": TOP, "base/a.sls": "l: [1, 2]", "base/b.sls": "l: [2, 3]"}

    assert compile_pillar(files, opts={"pillar_merge_lists": True}) == {"l": [1, 2, 3]}


def test_only_targets_that_mean_the_minion_count(compile_pillar):
    top = "base:\n  'G@role:web and web*':\n    - a\n  'role:db':\n    - match: grain\n    - b\n"

    pillar = compile_pillar(
        {"base/top.sls": top, "base/a.sls": "a: 1", "base/b.sls": "b: 1"}, grains={"role": "web"}
    )

    assert pillar == {"a": 1}


def test_targets_of_a_higher_order_come_later(compile_pillar):
    top = "base:\n  'web*':\n    - order: 5\n    - a\n  '*':\n    - order: 1\n    - b\n"

    assert compile_pillar({"base/top.sls": top, "base/a.sls": "x: a", "base/b.sls": "x: b"}) == {"x": "a"}


def test_wildcards_and_folders_name_sls(compile_pillar):
    pillar = compile_pillar(
        {
            "base/top.sls": "base:\n  '*':\n    - g.*\n    - d\n",
            "base/g/one.sls": "one: 1",
            "base/g/two.sls": "two: 1",
            "base/d/init.sls": "d: 1",
        }
    )

    assert pillar == {"one": 1, "two": 1, "d": 1}


def test_includes_come_first_and_may_be_put_below_a_key(compile_pillar):
    pillar = compile_pillar(
        {
            "base/top.sls": "base:\n  '*':\n    - a\n",
            "base/a.sls": "include:\n  - b\n  - c:\n      key: u:h\n      defaults:\n        v: given\nx: a",
            "base/b.sls": "x: b\nb: 1",
            "base/c.sls": "c: <v>",
        }
    )

    assert pillar == {"x": "a", "b": 1, "u": {"h": {"c": "given"}}}


def test_included_data_wins_when_the_settings_say_so(compile_pillar):
    files = {"base/top.sls": TOP, "base/a.sls": "include: [b]\nx: a", "base/b.sls": "x: b"}

    assert compile_pillar(files, opts={"pillar_includes_override_sls": True}) == {"x": "b"}


def test_relative_includes_are_beside_the_file(compile_pillar):
    pillar = compile_pillar(
        {
            "base/top.sls": "base:\n  '*':\n    - d\n    - d.f\n",
            "base/e.sls": "wrong: 1",
            "base/d/init.sls": "include: [.e]",
            "base/d/e.sls": "e: 1",
            "base/d/f.sls": "include: [.g]",
            "base/d/g.sls": "g: 1",
        }
    )

    assert pillar == {"e": 1, "g": 1}


def test_a_relative_include_without_a_file_beside_it_is_a_name_from_the_top(compile_pillar):
    pillar = compile_pillar(
        {
            "base/top.sls": "base:\n  '*':\n    - d.b\n",
            "base/d/b.sls": "include: [.y, '.z*']",
            "base/y.sls": "y: top",
            "base/z1.sls": "z: top",
        }
    )

    assert pillar == {"y": "top", "z": "top"}


def test_sls_that_include_each_other_end(compile_pillar):
    files = {"base/top.sls": TOP, "base/a.sls": "include: [b]\na: 1", "base/b.sls": "include: [a]\nb: 1"}

    assert compile_pillar(files) == {"a": 1, "b": 1}


ENVS = {
    "base/top.sls": "base:\n  '*':\n    - p\ndev:\n  '*':\n    - q\n",
    "base/p.sls": "p: base\nshared: base",
    "dev/top.sls": "dev:\n  '*':\n    - q\n",
    "dev/q.sls": "q: dev\nshared: dev",
}


def test_environments_merge_in_their_order(compile_pillar):
    assert compile_pillar(ENVS, envs=("base", "dev")) == {"p": "base", "shared": "dev", "q": "dev"}


def test_env_order_says_which_environment_wins(compile_pillar):
    pillar = compile_pillar(ENVS, envs=("base", "dev"), opts={"env_order": ["dev", "base"]})

    assert pillar["shared"] == "base"


def test_pillarenv_limits_the_pillar_to_one_environment(compile_pillar):
    assert compile_pillar(ENVS, envs=("base", "dev"), pillarenv="dev") == {"q": "dev", "shared": "dev"}


def test_pillarenv_follows_saltenv_when_the_settings_say_so(compile_pillar):
    pillar = compile_pillar(ENVS, envs=("base", "dev"), opts={"pillarenv_from_saltenv": True}, saltenv="dev")

    assert pillar == {"q": "dev", "shared": "dev"}


def test_an_environment_without_roots_is_an_error(compile_pillar):
    pillar = compile_pillar(
        {"base/top.sls": "base:\n  '*':\n    - p\nqa:\n  '*':\n    - x\n", "base/p.sls": "p: 1"}
    )

    assert pillar == {"p": 1, "_errors": ["No matching pillar environment for environment 'qa' found"]}


def test_an_override_wins_and_is_not_seen_by_templates(compile_pillar):
    files = {"base/top.sls": TOP, "base/a.sls": "d: {x: 1, y: 2}\nseen: <pillar>", "base/b.sls": ""}

    pillar = compile_pillar(files, override={"d": {"y": 3}, "extra": "e"})

    assert pillar == {"d": {"x": 1, "y": 3}, "seen": [], "extra": "e"}
    assert list(pillar) == ["d", "seen", "extra"]


@pytest.mark.parametrize(
    ("files", "errors"),
    [
        (
            {"base/top.sls": TOP, "base/b.sls": ""},
            ["Specified SLS 'a' in environment 'base' is not available on the salt master"],
        ),
        (
            {"base/top.sls": "base:\n  '*':\n    - a\n", "base/a.sls": "p: {{ x }}"},
            ["Rendering SLS 'a' failed. Please see master log for details."],
        ),
        (
            {"base/top.sls": "base:\n  '*':\n    - a\n", "base/a.sls": "- list"},
            ["SLS 'a' does not render to a dictionary"],
        ),
        (
            {"base/top.sls": "{{ x }}"},
            ["Rendering Primary Top file failed, render error:\ncannot render top"],
        ),
        ({"base/top.sls": "base:\n  - x"}, ["Error encountered while rendering pillar top file."]),
        ({"base/top.sls": "base:\n  '*': x"}, ["Error encountered while rendering pillar top file."]),
        ({"base/top.sls": "- x"}, ["Error encountered while rendering pillar top file."]),
        ({"base/top.sls": "base: 7"}, ["Error encountered while rendering pillar top file."]),
    ],
)
def test_errors_are_collected(compile_pillar, files, errors):
    assert compile_pillar(files) == {"_errors": errors}


def test_an_unknown_matcher_is_an_error_that_names_it(compile_pillar):
    pillar = compile_pillar({"base/top.sls": "base:\n  '*':\n    - match: gloob\n    - a\n"})

    assert "target type 'gloob' does not exist" in pillar["_errors"][0]


def test_a_wrong_include_keeps_the_data(compile_pillar):
    pillar = compile_pillar({"base/top.sls": "base:\n  '*':\n    - a\n", "base/a.sls": "include: x\na: 1"})

    assert pillar["a"] == 1
    assert pillar["_errors"] == ["Include Declaration in SLS 'a' is not formed as a list"]


def test_an_sls_may_be_missing_when_the_top_file_says_so(compile_pillar):
    top = "base:\n  '*':\n    - ignore_missing: True\n    - a\n    - b\n"

    assert compile_pillar({"base/top.sls": top, "base/b.sls": "b: 1"}) == {"b": 1}


def test_no_top_file_is_an_empty_pillar(compile_pillar):
    assert compile_pillar({}) == {}


def test_a_top_file_may_include_others(compile_pillar):
    pillar = compile_pillar(
        {
            "base/top.sls": "include:\n  - more\nbase:\n  '*':\n    - a\n",
            "base/more.sls": "base:\n  'web*':\n    - b\n",
            "base/a.sls": "a: 1",
            "base/b.sls": "b: 1",
        }
    )

    assert pillar == {"a": 1, "b": 1}


def test_the_settings_appear_as_master(compile_pillar):
    pillar = compile_pillar({}, opts={"pillar_opts": True})

    assert pillar["master"]["id"] == "web1"


def test_named_values_are_decrypted(compile_pillar):
    files = {"base/top.sls": "base:\n  '*':\n    - a\n", "base/a.sls": "s: {k: [olleh], other: x}\nt: dlrow"}

    pillar = compile_pillar(files, opts={"decrypt_pillar": ["s:k", {"t": "gpg"}, "nope"]})

    assert pillar == {"s": {"k": ["hello"], "other": "x"}, "t": "world"}


def test_a_renderer_that_may_not_decrypt_is_an_error(compile_pillar):
    files = {"base/top.sls": "base:\n  '*':\n    - a\n", "base/a.sls": "t: x"}

    pillar = compile_pillar(files, opts={"decrypt_pillar": [{"t": "py"}]})

    assert pillar["_errors"] == [
        "Failed to decrypt pillar key 't': 'py' is not a valid decryption renderer. Valid choices are: gpg"
    ]


def test_templates_see_the_pillar_of_an_earlier_pass(compile_pillar):
    files = {"base/top.sls": TOP, "base/a.sls": "seen: <pillar>", "base/b.sls": "b: <pillar>"}

    assert compile_pillar(files, earlier={"old": 1}) == {"seen": ["old"], "b": ["old"]}


def test_values_that_yamlex_marked_collect():
    first = {"l": AggregateList([1]), "d": AggregateMap(x=1), "p": {"x": 1}}
    second = {"l": AggregateList([2]), "d": AggregateMap(y=2), "p": {"y": 2}, "new": 1}

    merged = Merging("aggregate").merge(first, second)

    assert merged == {"l": [1, 2], "d": {"x": 1, "y": 2}, "p": {"y": 2}, "new": 1}


@pytest.mark.parametrize(("text", "shown"), [("5", 5), ("text", "text"), ("null", None)])
def test_the_key_of_errors_may_hold_any_data(compile_pillar, caplog, text, shown):
    files = {"base/top.sls": "base: {'*': [a]}\n", "base/a.sls": f"_errors: {text}\nx: 1\n"}

    assert compile_pillar(files) == {"_errors": shown, "x": 1}
