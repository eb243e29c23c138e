"""Rendering, merging and file lookup for SLS authors; values are stock's."""

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import slsutil

BASE = {"a": {"b": 1, "x": {"y": 1}}, "l": [1], "z": 0, "o": 1}
OVER = {"a": {"c": 2, "x": {"w": 2}}, "l": [2], "z": {"q": 1}, "n": 5}
RECURSED = {"a": {"b": 1, "x": {"y": 1, "w": 2}, "c": 2}, "l": [2], "z": {"q": 1}, "o": 1, "n": 5}


class FakeFiles:
    def cache_file(self, url, saltenv="base"):
        return f"/cache/{url}"

    def list_files(self, saltenv="base"):
        return ["f/map.jinja", "f/sub/a.sls", "top.sls"]

    def list_dirs(self, saltenv="base"):
        return ["f", "f/sub"]


class FakeRendering:
    def render_text(self, text, **options):
        return text, options

    def render_sls(self, path, **options):
        return path, options


@pytest.mark.parametrize(
    ("strategy", "merged"),
    [
        ("smart", RECURSED),
        ("recurse", RECURSED),
        ("none", RECURSED),
        ("aggregate", {**BASE, **OVER}),
        ("list", {"a": [BASE["a"], OVER["a"]], "l": [[1], [2]], "z": [0, {"q": 1}], "o": 1}),
    ],
)
def test_mappings_are_merged_by_a_strategy(strategy, merged):
    assert slsutil.merge(BASE, OVER, strategy=strategy) == merged


def test_lists_are_joined_when_asked_to():
    assert slsutil.merge({"l": [1]}, {"l": [1, 2]}, merge_lists=True) == {"l": [1, 2]}


def test_update_changes_its_first_argument():
    dest = {"a": {"b": 1}}

    assert slsutil.update(dest, {"a": {"c": 2}}) is dest
    assert dest == {"a": {"b": 1, "c": 2}}


def test_update_can_be_flat():
    assert slsutil.update({"a": {"b": 1}}, {"a": {"c": 2}}, recursive_update=False) == {"a": {"c": 2}}


def test_update_refuses_what_is_not_a_mapping():
    with pytest.raises(TypeError, match="non-dict types"):
        slsutil.update([], {})


def test_all_mappings_of_a_list_are_merged():
    assert slsutil.merge_all([{"a": {"b": 1}}, {"a": {"c": 1}}, {"d": 1}]) == {"a": {"b": 1, "c": 1}, "d": 1}


def test_a_truth_becomes_one_of_two_texts():
    assert (slsutil.boolstr(1), slsutil.boolstr(0, "y", "n")) == ("true", "n")


def test_a_banner_says_that_the_file_is_managed():
    assert slsutil.banner(width=30, title="T", text="some text that wraps", blockend="#", newline=True) == (
        "##############################\n"
        "#                            #\n"
        "#             T              #\n"
        "#                            #\n"
        "# some text that wraps       #\n"
        "##############################\n"
        "#\n"
    )


def test_a_banner_needs_room():
    with pytest.raises(CommandExecutionError, match="Width is too small"):
        slsutil.banner(width=3)


@pytest.mark.parametrize(
    ("name", "text"),
    [("json", '{"a": {"b": "1"}}'), ("yaml", "a: {b: '1'}"), ("configparser", "[a]\nb = 1\n\n")],
)
def test_data_becomes_text_and_back(name, text):
    assert slsutil.serialize(name, {"a": {"b": "1"}}) == text
    assert slsutil.deserialize(name, text) == {"a": {"b": "1"}}


def test_an_unknown_format_is_named(call_context):
    call_context(tables={"serializers": {}})

    with pytest.raises(CommandExecutionError, match="Serializer 'nosuch' not found."):
        slsutil.serialize("nosuch", {})


def test_broken_text_is_an_error_for_the_user():
    with pytest.raises(CommandExecutionError, match="Expecting property name"):
        slsutil.deserialize("json", "{")


def test_paths_of_the_file_roots_are_found(call_context):
    call_context(files=FakeFiles())

    assert slsutil.file_exists("top.sls")
    assert slsutil.dir_exists("f/sub")
    assert not slsutil.path_exists("nosuch")


def test_a_file_is_found_in_a_directory_above(call_context):
    call_context(files=FakeFiles())

    assert slsutil.findup("f/sub", "map.jinja") == "f/map.jinja"
    assert slsutil.findup("f/sub", ["nosuch", "top.sls"]) == "top.sls"


def test_finding_needs_a_start_and_a_hit(call_context):
    call_context(files=FakeFiles())

    with pytest.raises(InvocationError, match="Starting path not found in the state tree: x"):
        slsutil.findup("x", "top.sls")
    with pytest.raises(CommandExecutionError, match="not found in path ancestry"):
        slsutil.findup("f", "nosuch")


def test_users_serializers_are_used(call_context):
    own = {"up.serialize": lambda value, **options: str(value).upper(), "up.deserialize": str.lower}
    call_context(tables={"serializers": own})

    assert (slsutil.serialize("up", "a"), slsutil.deserialize("up", "A")) == ("A", "a")


def test_text_and_files_are_rendered(call_context):
    call_context(files=FakeFiles(), render=FakeRendering())

    text, options = slsutil.renderer(string="x", default_renderer="jinja", a=1, __pub_jid="1")
    path, _ = slsutil.renderer("salt://x")

    assert (text, options) == ("x", {"pipe": "jinja", "saltenv": "base", "sls": "", "a": 1})
    assert path == "/cache/salt://x"


def test_rendering_needs_one_of_path_and_text():
    with pytest.raises(InvocationError, match="Must pass path or string."):
        slsutil.renderer()
    with pytest.raises(InvocationError, match="Must not pass both"):
        slsutil.renderer("a", "b")
