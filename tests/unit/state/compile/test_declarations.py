"""Forms of declarations."""

from salt_g.state.compile.declarations import DeclaredSls, OrderNumbers
from salt_g.state.compile.diagnostics import Problems


def declared(data):
    problems = Problems()
    high = DeclaredSls(data, sls="web", saltenv="base", problems=problems).high_data()
    return high.as_mapping(), problems.messages()


def test_a_short_declaration_is_written_out():
    data, problems = declared({"a": "pkg.installed"})

    assert data == {"a": {"__sls__": "web", "__env__": "base", "pkg": ["installed"]}}
    assert problems == []


def test_a_dotted_key_moves_its_function_to_the_end_of_the_arguments():
    data, _ = declared({"a": {"pkg.installed": [{"x": 1}]}})

    assert data["a"]["pkg"] == [{"x": 1}, "installed"]


def test_more_dots_than_one_are_cut():
    data, _ = declared({"a": {"test.nop.extra": []}})

    assert data["a"]["test"] == ["nop"]


def test_two_functions_of_one_module_are_refused():
    _, problems = declared({"a": {"test.nop": [], "test.fail": []}})

    assert problems == ["ID 'a' in SLS 'web' contains multiple state declarations of the same type"]


def test_a_body_that_is_not_a_mapping_is_reported():
    _, problems = declared({"a": ["x"], "b": 5})

    assert problems == ["ID a in SLS web is not a dictionary", "ID b in SLS web is not a dictionary"]


def test_extend_goes_to_a_list_of_its_own():
    data, _ = declared({"extend": {"b": {"test.nop": [{"x": 1}]}}})

    assert data == {"__extend__": [{"b": {"test": [{"x": 1}, "nop"], "__sls__": "web", "__env__": "base"}}]}


def test_exclude_that_is_not_a_list_is_reported():
    _, problems = declared({"exclude": "b"})

    assert problems == ["Exclude Declaration in SLS web is not formed as a list"]


def test_order_numbers_go_to_lists_that_lack_one():
    data = {"a": {"test": ["nop"]}, "b": {"test": ["nop", {"order": 3}]}, "c": {"test": ["nop"]}}

    OrderNumbers(is_active=True).number(data)

    assert data["a"]["test"] == ["nop", {"order": 10000}]
    assert data["b"]["test"] == ["nop", {"order": 3}]
    assert data["c"]["test"] == ["nop", {"order": 10001}]


def test_order_numbers_can_be_switched_off():
    data = {"a": {"test": ["nop"]}}

    OrderNumbers(is_active=False).number(data)

    assert data == {"a": {"test": ["nop"]}}


def test_states_that_share_a_list_by_alias_stay_apart():
    shared = [{"x": 1}]
    data, problems = declared({"a": {"test.nop": shared}, "b": {"test.nop": shared}})
    OrderNumbers(is_active=True).number(data)

    assert problems == []
    assert data["a"]["test"] == [{"x": 1}, "nop", {"order": 10000}]
    assert data["b"]["test"] == [{"x": 1}, "nop", {"order": 10001}]


def test_malformed_changes_under_the_compilers_own_keys_are_reported_and_left_out():
    data, problems = declared({"__extend__": 5, "__exclude__": "db", "a": {"test": ["nop"]}})

    assert list(data) == ["a"]
    assert problems == [
        "__extend__ in SLS 'web' is not a list of dictionaries of IDs",
        "__exclude__ in SLS 'web' is not formed as a list",
    ]
