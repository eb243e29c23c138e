"""Names of `salt.utils` about values, for users' plugins: the expectations of stock's own tests."""

from collections import OrderedDict

import pytest
import yaml as pyyaml

from salt_g.compat.utils.calls import args, state
from salt_g.compat.utils.host import files
from salt_g.compat.utils.net import http, network, url
from salt_g.compat.utils.net.validate import net
from salt_g.compat.utils.values import (
    data,
    dictdiffer,
    dictupdate,
    hashutils,
    itertools,
    json,
    listdiffer,
    locales,
    stringutils,
    versions,
    xmlutil,
    yaml,
    yamlloader,
)
from salt_g.errors import InvocationError

NESTED = {"a": {"b": "c", "list": ["one", "two"]}}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: data.subdict_match(NESTED, "a:list:tw*"), True),
        (lambda: data.subdict_match(NESTED, "a:b:(c|d)", regex_match=True), True),
        (lambda: data.traverse_dict_and_list(NESTED, ["a", "list", 1]), "two"),
        (lambda: data.repack_dictlist("- key: value\n- bare"), {"key": "value", "bare": None}),
        (lambda: data.repack_dictlist("no list"), {}),
        (lambda: data.decode({b"k": (b"\xff", b"v")}, keep=True), {"k": [b"\xff", "v"]}),
        (lambda: data.filter_falsey({"a": {"b": None}, "c": 0}), {"a": {"b": None}}),
        (lambda: data.filter_falsey([False, None, "", 0, 1]), [False, 1]),
        (lambda: data.is_dictlist([]), True),
        (
            lambda: [data.is_true(text) for text in ("1", "0.5", "0", "-1", "yes", "TRUE")],
            [True, True, *3 * [False], True],
        ),
        (lambda: data.traverse_dict({"a": ["x"]}, "a:0"), None),
        (lambda: list(data.compare_dicts({"b": 1, "a": 2}, {"c": 1, "a": 3})), ["b", "a", "c"]),
        (lambda: list(data.recursive_diff({"a": 1, "b": 2}, {"b": 3, "a": 4})["new"]), ["b", "a"]),
        (
            lambda: args.parse_input(["a", "b=1", {"__kwarg__": True, "c": 2}]),
            ["a", {"__kwarg__": True, "b": 1, "c": 2}],
        ),
        (lambda: args.parse_input(["a", "b=1"], condition=False, no_parse=["b"]), (["a"], {"b": "1"})),
        (
            lambda: args.parse_function("m.f(a b, [1, 2], c='d, e', f=)"),
            ("m.f", ["ab", "[1,2]"], {"c": "d, e", "f": ""}),
        ),
        (lambda: args.parse_function("f(a"), (None, None, None)),
        (lambda: json.find_json('log: [info] {"a": 1} end'), {"a": 1}),
        (lambda: list(itertools.split("a,,b,", ",")), ["a", "", "b"]),
        (lambda: dictupdate.ensure_dict_key({"a": [1]}, "a:b"), {"a": {"b": {}}}),
        (lambda: versions.version_cmp("", "1"), None),
        (lambda: versions.version_cmp("1.0-1", "1.0.1"), -1),
        (lambda: versions.version_cmp("1.10rc1", "1.9"), 1),
        (lambda: stringutils.is_binary("é"), False),
        (lambda: network.hex2ip("no"), "no"),
        (lambda: network.in_subnet("10.0.0.1/24", "10.0.0.5"), False),
        (lambda: network.ipaddr(["10.0.0.1", "x"]), ["10.0.0.1"]),
        (lambda: [net.netmask(mask) for mask in ("24", "255.0.255.0")], [True, False]),
        (
            lambda: [net.ip_addr(text) for text in ("fe80::1%eth0", "10.0.0.1/8", "0.0.0.0/0")],
            [False, True, False],
        ),
        (lambda: files.human_size_to_bytes("20"), 20),
        (lambda: files.safe_filename_leaf("a b/c:d"), "a b%2Fc%3Ad"),
        (lambda: data.filter_falsey({"a": {"b": None}, "c": 0}, recurse_depth=1), {}),
        (lambda: data.recursive_diff((1, 2), (1, 3)), {"old": (2,), "new": (3,)}),
        (lambda: data.recursive_diff(OrderedDict(a=1, b=2), OrderedDict(a=1)), {"old": {"b": 2}, "new": {}}),
        (lambda: data.filter_by({"Deb*": 1, "default": 2}, "os", {"os": "Debian"}), 1),
        (lambda: data.filter_by({"RedHat": 1, "default": 2}, "os", {"os": "Debian"}), 2),
        (lambda: data.to_uppercase({"a": ["b", 1]}), {"A": ["B", 1]}),
        (lambda: stringutils.to_none("None"), "None"),
        (lambda: stringutils.to_none("  "), None),
        (lambda: stringutils.to_unicode(b"\xe4", encoding=("utf-8", "latin1")), "ä"),
        (lambda: stringutils.check_include_exclude("/x/test", "E@te", "/y/*"), True),
        (
            lambda: stringutils.get_context("1\n2\n3", 3, num_lines=1, marker=" <-"),
            "---\n[...]\n2\n3 <-\n---",
        ),
        (lambda: stringutils.get_conditional_diff(["a\n"], ["a # c\n"])[0], False),
        (lambda: args.parse_function("f[x]"), (None, None, None)),
        (lambda: args.parse_kwarg("a==b"), (None, None)),
        (lambda: args.condition_input([20260101000000000000], {"a": 1})[0], "20260101000000000000"),
        (lambda: args.yamlify_arg("a=1"), "a=1"),
        (lambda: dictdiffer.recursive_diff({}, {"a": {"b": 1}}).added(include_nested=True), ["a", "a.b"]),
        (lambda: dictupdate.merge({"a": 1}, {"a": 2}, strategy="list"), {"a": [1, 2]}),
        (lambda: hashutils.base64_b64decode("//8="), b"\xff\xff"),
        (lambda: json.dumps({"é": 1}), '{"é": 1}'),
        (lambda: locales.normalize_locale("de_de.UTF-8 UTF-8"), "de_DE.utf8"),
        (lambda: network.parse_host_port("[::1]:80"), ("::1", 80)),
        (lambda: network.hex2ip("0x4A7D2B63"), "74.125.43.99"),
        (lambda: network.ip_bracket("::1"), "[::1]"),
        (lambda: http.sanitize_url("https://h/?&a=1", None), "https://h/?&a=1"),
        (lambda: http.sanitize_url("https://h/?&a=1", ["", "a"]), "https://h/?&a=XXXXXXXXXX"),
        (lambda: url.add_http_basic_auth("https://h/x", "a@b", "c/d"), "https://a%40b:c%2Fd@h/x"),
        (lambda: state.check_result({"host": {"one": {"result": True}, "two": {"result": False}}}), False),
    ],
)
def test_a_function_returns_what_stock_s_does(call, expected):
    assert call() == expected


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: stringutils.to_str(1), TypeError),
        (lambda: data.decode(b"\xff"), UnicodeDecodeError),
        (lambda: dictupdate.update([], {}), TypeError),
        (lambda: network.parse_host_port("host name"), ValueError),
        (lambda: args.format_call(lambda one: one, {}), InvocationError),
        (lambda: yamlloader.SaltYamlSafeLoader("a: 1\na: 2").get_single_data(), Exception),
    ],
)
def test_a_function_refuses_what_stock_s_refuses(call, error):
    with pytest.raises(error):
        call()


def test_the_arguments_of_a_function_are_taken_from_a_mapping():
    def function(one, two=2, three=3):
        """Accept three arguments."""

    assert args.format_call(function, {"one": 1, "three": 4}) == {
        "args": [1],
        "kwargs": {"two": 2, "three": 4},
    }
    with pytest.raises(InvocationError, match="'four' is invalid"):
        args.format_call(function, {"one": 1, "four": 4})


def test_entries_of_lists_are_compared_by_a_key():
    differ = listdiffer.list_diff([{"id": 1, "x": 1, "y": 1}], [{"id": 1, "x": 2, "y": 2}], key="id")

    assert differ.changed() == ["id.1.x", "id.1.y"]
    differ.remove_diff("y")
    assert differ.changed() == ["id.1.x"]


def test_nodes_that_the_data_lacks_are_removed():
    document = xmlutil.ElementTree.fromstring('<d><v id="1" on="y"/>\n<v id="2" on="y"/></d>')
    entry = xmlutil.attribute("v:{id}:on", "v[@id='$id']", "on", ["id"])

    assert xmlutil.change_xml(document, {"v": {2: {"on": "n"}}}, [entry])
    assert [(node.get("id"), node.get("on")) for node in document.findall("v")] == [("2", "n")]


def test_invalid_yaml_is_an_error_of_pyyaml():
    with pytest.raises(pyyaml.YAMLError):
        yaml.safe_load("{")
    assert yaml.YAMLError is pyyaml.YAMLError
