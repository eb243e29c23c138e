"""Pillar SLS of one environment and their includes, from data in place of files."""

import copy

import pytest

from salt_g.errors import RenderError
from salt_g.formats.ordered import Ordered
from salt_g.pillar.merging import Merging
from salt_g.pillar.tree import MAX_DEPTH, PillarRules, Tree


class FakeFiles:
    """SLS names of one environment; `a.init` is the file `a/init.sls` of the SLS `a`."""

    def __init__(self, data):
        self.names = [name.removesuffix(".init") for name in data]
        self.data = data

    def list_states(self, saltenv):
        return self.names

    def cache_sls(self, sls, saltenv):
        if sls not in self.names:
            return "", ""
        is_init = f"{sls}.init" in self.data
        return f"salt://{sls}/init.sls" if is_init else f"salt://{sls}.sls", f"{sls}.init" if is_init else sls


@pytest.fixture
def compiled():
    """Return a function that compiles these SLS and returns (pillar, errors, rendered SLS).

    Each SLS is given as {name: data, error, or function of variables}.
    """

    def build(data, *names, may_miss=(), tops=(), strategy="recurse", **rules):
        errors, rendered = [], []

        def render(path, sls, saltenv, variables):
            rendered.append(sls)
            found = data[path]
            if isinstance(found, BaseException):
                raise found
            return found(variables) if callable(found) else copy.deepcopy(found)

        merging = Merging.from_opts({"pillar_source_merging_strategy": strategy, "renderer": "yaml"})
        tree = Tree(
            "base",
            files=FakeFiles(data),
            render=render,
            locate=lambda exc, path, sls, saltenv, variables: f"{path}:7",
            rules=PillarRules(merging, **rules),
            may_miss=may_miss,
            errors=errors,
            tops=tops,
        )
        return tree.compile(names or ["a"], {"before": 1}), errors, rendered

    return build


def test_data_is_merged_into_what_is_there(compiled):
    pillar, errors, _ = compiled({"a": {"x": {"a": 1}}, "b": {"x": {"b": 2}}}, "a", "b")

    assert (pillar, errors) == ({"before": 1, "x": {"a": 1, "b": 2}}, [])


def test_wildcards_name_several_and_a_name_without_a_file_is_an_error(compiled):
    pillar, errors, rendered = compiled({"w.a": {"a": 1}, "w.b": {"b": 1}, "z": {}}, "w.*", "q*")

    assert (pillar, sorted(rendered)) == ({"before": 1, "a": 1, "b": 1}, ["w.a", "w.b"])
    assert errors == ["Specified SLS 'q*' in environment 'base' is not available on the salt master"]


def test_the_log_names_the_nearest_of_a_missing_one(compiled, caplog):
    compiled({"webserver": {}}, "webservr")

    assert caplog.messages == ["pillar SLS 'webservr' is missing in 'base'; nearest: 'webserver'"]


def test_the_log_names_the_place_of_a_missing_one(compiled, caplog):
    compiled({"/srv/a": {"include": ["gone"]}}, "/srv/a", "lost", tops=["/srv/top.sls"])

    assert [message.partition(" is missing")[0] for message in caplog.messages] == [
        "/srv/a: pillar SLS 'gone'",
        "/srv/top.sls: pillar SLS 'lost'",
    ]


def test_a_missing_one_that_may_miss_is_not_an_error(compiled):
    assert compiled({}, "gone", may_miss=["gone"])[1] == []


@pytest.mark.parametrize("error", [ValueError("secret text"), SystemExit(3)])
@pytest.mark.parametrize(
    ("is_safe", "end"), [(True, "failed. Please see master log for details."), (False, "render error:\n{}")]
)
def test_whatever_one_file_raises_is_an_error_of_that_file(compiled, error, is_safe, end):
    pillar, (text,), _ = compiled({"a": error, "b": {"b": 1}}, "a", "b", safe_errors=is_safe)

    assert pillar == {"before": 1, "b": 1}
    assert text.startswith("Rendering SLS 'a' failed")
    assert text.endswith(end.format(error))


def test_the_log_says_what_is_probably_wrong(compiled, caplog):
    compiled({"a": RenderError("Jinja failed", advice="'salt' has no function 'test.pong'")}, "a")

    assert "'salt' has no function 'test.pong'" in caplog.text


@pytest.mark.parametrize(("data", "errors"), [(None, 0), ({}, 0), ("", 0), (["x"], 1), ("text", 1), (7, 1)])
def test_an_sls_other_than_a_mapping_adds_nothing(compiled, data, errors):
    pillar, found, _ = compiled({"a": data})

    assert (pillar, found) == ({"before": 1}, ["SLS 'a' does not render to a dictionary"] * errors)


def test_the_including_file_wins_unless_the_settings_say_otherwise(compiled):
    data = {"a": {"include": ["b"], "x": "a"}, "b": {"x": "b", "y": "b"}}

    assert compiled(data)[0] == {"before": 1, "x": "a", "y": "b"}
    assert compiled(data, includes_win=True)[0] == {"before": 1, "x": "b", "y": "b"}


def test_options_of_an_include_put_data_below_a_key_and_set_variables(compiled):
    data = {
        "a": {"include": [{"b": {"key": "p:q", "defaults": {"v": 7}}}, "c"]},
        "b": lambda variables: {"v": variables.get("v")},
        "c": lambda variables: {"c": variables.get("v")},
    }

    # As in stock, variables last for the plain includes that follow.
    assert compiled(data)[0] == {"before": 1, "p": {"q": {"v": 7}}, "c": 7}


@pytest.mark.parametrize(
    ("include", "text"),
    [
        ("b", "is not formed as a list"),
        ([{}], "names no SLS"),
        ([{"b": ["x"]}], "has options that are not a mapping"),
        ([{"b": {"defaults": ["x"]}}], "has `defaults` that are not a mapping"),
        (["gone"], "Specified SLS 'gone'"),
        ([None], "Specified SLS 'None'"),
        ([["b"]], "is a list in the list: write its names one below the other"),
    ],
)
def test_a_wrong_include_is_an_error_and_the_rest_stays(compiled, include, text):
    pillar, errors, _ = compiled({"a": {"include": include, "x": 1}, "b": {"b": 1}})

    assert pillar["x"] == 1
    assert len(errors) == 1 and text in errors[0]


@pytest.mark.parametrize(
    ("names", "parent"), [({"w.init", "w.b"}, "w"), ({"w.a", "w.b"}, "w.a"), ({"w.a", "b"}, "w.a")]
)
def test_relative_names_are_beside_the_file_or_at_the_top(compiled, names, parent):
    data = {name: {name: 1} for name in names}
    first = f"{parent}.init" if f"{parent}.init" in names else parent
    data[first] = {"include": [".b"]}

    pillar, errors, _ = compiled(data, parent)

    assert errors == []
    assert pillar == {"before": 1, (names - {first}).pop(): 1}


@pytest.mark.parametrize(
    ("strategy", "below"),
    [("recurse", {"in": 1, "deep": 2}), ("overwrite", {"in": 1}), ("aggregate", {"in": 1})],
)
def test_includes_of_an_sls_below_a_key_are_merged_below_it(compiled, strategy, below):
    data = {"a": {"include": [{"b": {"key": "k:l"}}]}, "b": {"include": ["c"], "in": 1}, "c": {"deep": 2}}

    pillar, errors, _ = compiled(data, strategy=strategy)

    assert (pillar["k"]["l"], errors) == (below, [])


def test_files_that_include_each_other_are_rendered_once(compiled):
    data = {"a": {"include": ["b"], "a": 1}, "b": {"include": ["a"], "b": 1}}

    pillar, errors, rendered = compiled(data)

    assert (pillar, errors, rendered) == ({"before": 1, "a": 1, "b": 1}, [], ["a", "b"])


def test_includes_have_a_greatest_depth(compiled):
    names = [f"s{number}" for number in range(MAX_DEPTH + 5)]
    data = {
        name: {"include": [after], name: 1} for name, after in zip(names, [*names[1:], "end"], strict=True)
    }

    _, errors, rendered = compiled(data, "s0")

    assert errors == [f"SLS 's{MAX_DEPTH}' is included more than {MAX_DEPTH} levels deep"]
    assert len(rendered) == MAX_DEPTH + 1


def test_rules_come_from_the_settings():
    rules = PillarRules.from_opts({"pillar_includes_override_sls": 1, "pillar_safe_render_error": 0})

    assert (rules.includes_win, rules.safe_errors) == (True, False)
    assert PillarRules.from_opts({})[1:] == (False, True)


def test_data_that_a_renderer_keeps_is_copied_and_what_yaml_gave_is_not(compiled):
    kept, given = {"a": {"x": [1]}}, Ordered(b=Ordered(y=[2]))

    pillar, _, _ = compiled({"one": lambda variables: kept, "two": lambda variables: given}, "one", "two")

    assert pillar == {"before": 1, "a": {"x": [1]}, "b": {"y": [2]}}
    assert pillar["a"] is not kept["a"]
    assert pillar["b"] is given["b"]
