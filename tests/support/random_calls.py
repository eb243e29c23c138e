"""Random calls of the functions of `salt.utils` that users' modules use.

Shapes: a call is (module below `salt.utils`, function, arguments, keywords), all of it Python literals. What
docs/differences.md describes is left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

#: Makes a random value.
Maker = Callable[[random.Random], Any]

TEXTS = [
    "",
    "a",
    "b",
    "c:d",
    "a:b",
    "True",
    "yes",
    "no",
    "0",
    "1",
    "-1",
    "1.5",
    "010",
    "0x1f",
    "None",
    "null",
    "~",
]
TEXTS += [
    "[1, 2]",
    "{a: 1}",
    "{'a': 1}",
    "a: b",
    "a=1",
    "a=",
    "=a",
    "a b",
    "a,b",
    "a, b",
    "1_000",
    "12:30",
    "é",
    "\n",
]
TEXTS += [
    "FooBar",
    "foo_bar",
    "HTTPServer",
    "*",
    "a*",
    "a?",
    "[ab]",
    "(a|b)",
    "'q'",
    '"q"',
    "'q",
    "#x",
    "a#b",
    "a #b",
]
TEXTS += [
    "@x",
    "%d",
    "!x",
    "&x",
    "*x",
    "- a",
    "-a",
    "--a=b",
    "2020-01-02",
    "1e3",
    ".5",
    "+1",
    "web.conf",
    "E@a",
    "{",
    "[",
]
TEXTS += [
    "1,2",
    "0777",
    "0o17",
    "0b1",
    "inf",
    ".nan",
    "- 1_0",
    "a\nb",
    "\ta",
    "on",
    "off",
    "y",
    "TRUE",
    "false",
    "x" * 90,
]
ADDRESSES = [
    "10.0.0.1",
    "10.0.0.0/24",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "2001:db8::/32",
    "256.1.1.1",
    "10.0.0",
    "10",
]
ADDRESSES += [
    "127.0.0.1",
    "localhost",
    "[::1]:80",
    "10.0.0.1:80",
    "host:80",
    "host",
    "",
    "0.0.0.0/0",
    "10.0.0.1/33",
    "a.b",
]
ADDRESSES += [
    "::ffff:10.0.0.1",
    "10.0.0.1:x",
    "host:99999",
    "::/129",
    "192.168.1.7/255.255.255.0",
    "1",
]
URLS = [
    "salt://a/b",
    "salt://|a?b",
    "salt://a?saltenv=dev",
    "a/b",
    "http://u:p@h/x",
    "https://h:8/x?y=1",
    "file:///a",
    "",
]
URLS += [
    "salt://",
    "|a",
    "ftp://u@h",
    "http://h",
    "s3://b/k",
    "salt:///a",
    "salt://a?x=1&saltenv=b",
    "://",
    "a?saltenv=x",
]
VERSIONS = [
    "1.0",
    "1.0.1",
    "1:1.0",
    "2",
    "1.0-1",
    "1.0~rc1",
    "1.0rc1",
    "3008.3",
    "3000",
    "",
    "a",
    "1.0+b",
    "1.0.0",
    "v1",
]
CALLS = [
    "f(a)",
    "a.b(1, x=2)",
    "f()",
    "f",
    "f([1], {'a': 1})",
    "f(a=b=c)",
    "f(",
    "f(a,)",
    "f(a b)",
    "f(g(a))",
]
CALLS += [
    "f('a, b', c = 'd')",
    "f(,a)",
    "f(1.5, None)",
    "f(a)b",
    "f (a",
    "",
    "f('a' 'b')",
    'f(a="[1]")',
]
OPERATORS = ["==", "<", "<=", ">=", "!=", "=", "~", ""]
SIZES = ["1", "1K", "1.5GB", "10mb", "1 M", "x", "", "5T", "1Kb", "0", "-1K", "1.5", "2PB", "1kk", "1B"]
#: What words of a command line are made of.
PIECES = [
    "a",
    "b",
    "1",
    "0",
    "-",
    " ",
    ":",
    ": ",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "'",
    '"',
    "#",
    " #",
    "|",
    ">",
]
PIECES += ["*", "!", "%", "@", "`", "?", "? ", "- ", "~", "null", "None", "true", "No", "on", "y", "1_0", "&"]
PIECES += [
    "0o7",
    "010",
    "1e3",
    ".5",
    "1.",
    ".",
    "=",
    "==",
    "a=",
    "x.y=",
    "/",
    "\\",
    "\\n",
    "\n",
    "\t",
    "é",
    "<<",
]
PIECES += [
    "2020-01-02",
    "12:30",
    "+",
    "inf",
    ".inf",
    ".nan",
    "$",
    "(",
    ")",
    "^",
    "--",
    "---",
    "...",
    "!!str ",
]
PIECES += [
    "|",
    ">",
    "\t",
    "é",
    "<<",
    "!!str ",
    "!!int ",
    "'a'",
    '"b"',
    "{a: 1}",
    "[1, 2]",
    "\u2028",
    "\x07",
    "TRUE",
    "_",
    "0x1",
]
KEYS = ["a", "b", "c", "d", "1"]


def value(dice: random.Random, depth: int = 3) -> Any:
    """Return a random value that a YAML file may contain."""
    chance = dice.random()
    if depth and chance < 0.25:
        return {
            dice.choice(KEYS) if dice.random() < 0.93 else dice.choice([1, None, True, 2.5]): value(
                dice, depth - 1
            )
            for _ in range(dice.randrange(4))
        }
    if depth and chance < 0.45:
        return [value(dice, depth - 1) for _ in range(dice.randrange(4))]
    plain = [None, True, False, 0, 1, -3, 2.5, "a", "b", "", "text", "1", "é", "a:b", 10**20]
    return dice.choice(plain)


def mapping(dice: random.Random) -> dict[str, Any]:
    """Return a random mapping."""
    return {dice.choice(KEYS): value(dice, 2) for _ in range(dice.randrange(5))}


def dictlist(dice: random.Random) -> list[Any]:
    """Return a list of mappings with one key, as arguments in SLS are; sometimes of other things."""
    items = [{dice.choice(KEYS): value(dice, 1)} for _ in range(dice.randrange(4))]
    return items if dice.random() < 0.7 else [*items, value(dice, 1)]


def _path(dice: random.Random) -> str:
    return ":".join(str(dice.choice([*KEYS, 0, 1, "*"])) for _ in range(dice.randrange(1, 4)))


def _text(dice: random.Random) -> str:
    return dice.choice(TEXTS)


def _any(dice: random.Random) -> Any:
    return dice.choice(TEXTS) if dice.random() < 0.4 else value(dice)


def _words(dice: random.Random) -> list[Any]:
    return [dice.choice(TEXTS) if dice.random() < 0.95 else value(dice, 1) for _ in range(dice.randrange(4))]


def _texts(dice: random.Random) -> list[str]:
    return [dice.choice(TEXTS) for _ in range(dice.randrange(4))]


def _flat(dice: random.Random) -> dict[str, Any]:
    return {
        dice.choice(KEYS): dice.choice([1, "a", None, True, [1, "b"], 2.5]) for _ in range(dice.randrange(5))
    }


def _of(*values: Any) -> Maker:
    return lambda dice: dice.choice(values)


def _rows(dice: random.Random) -> list[dict[str, Any]]:
    return [{"name": dice.choice("abc"), **mapping(dice)} for _ in range(dice.randrange(4))]


def _lines(dice: random.Random) -> list[str]:
    return [dice.choice(["a", "b", "c\n", "", "# x"]) for _ in range(dice.randrange(5))]


_ADDRESS, _URL, _VERSION, _SIZE = _of(*ADDRESSES), _of(*URLS), _of(*VERSIONS), _of(*SIZES)
_BOOL, _PATTERN = _of(True, False), _of("a", "a*", "E@a.*", "(", "[", "*", "(a|b)", "b?", "")
_PATTERNS = _of(None, [], ["a"], ["a*", "b"], "a", ["(a|b)"], ["["])
_NUMBER = _of(0, 1, 2, 8, 24, 31, 32, 33, -1, "24", "x")

#: (module, function, makers of arguments, {keyword: maker}; each keyword is given every other time)
FUNCTIONS: list[tuple[str, str, list[Maker], dict[str, Maker]]] = [
    ("data", "traverse_dict_and_list", [value, _path], {"default": _of("d"), "delimiter": _of(":", "b")}),
    ("data", "traverse_dict", [value, _path], {"default": _of("d")}),
    ("data", "is_true", [_any], {}),
    ("data", "compare_lists", [_words, _words], {}),
    ("data", "repack_dictlist", [dictlist], {"strict": _BOOL, "recurse": _BOOL}),
    ("data", "decode", [value], {"preserve_tuples": _BOOL, "to_str": _BOOL}),
    ("data", "encode", [value], {}),
    ("data", "is_iter", [_any], {}),
    ("data", "is_list", [_any], {}),
    ("data", "is_dictlist", [dictlist], {}),
    ("data", "filter_falsey", [value], {"recurse_depth": _of(None, 0, 1, 2)}),
    ("data", "subdict_match", [value, _path], {"regex_match": _BOOL, "exact_match": _BOOL}),
    ("data", "sorted_ignorecase", [_words], {}),
    ("data", "stringify", [_words], {}),
    ("data", "to_lowercase", [value], {}),
    ("data", "to_uppercase", [value], {}),
    ("data", "to_entries", [value], {}),
    ("data", "filter_by", [mapping, _path, mapping], {"default": _of("a"), "base": _of("a", None)}),
    ("data", "exactly_n", [_words], {"amount": _of(0, 1, 2)}),
    ("data", "exactly_one", [_words], {}),
    ("data", "get_value", [value, _path], {"default": _of("d")}),
    ("data", "recursive_diff", [_flat, _flat], {"ignore_order": _BOOL}),
    ("data", "recursive_diff", [_texts, _texts], {"ignore_order": _BOOL}),
    ("data", "json_query", [value, _of("a", "a.b", "[0]", "*")], {}),
    ("data", "flatten", [_words], {"levels": _of(None, 0, 1), "preserve_nulls": _BOOL}),
    ("data", "is_dictlist", [_any], {}),
    ("dictdiffer", "diff", [mapping, mapping], {}),
    ("dictupdate", "update", [mapping, mapping], {"recursive_update": _BOOL, "merge_lists": _BOOL}),
    ("dictupdate", "merge", [mapping, mapping], {
        "strategy": _of("smart", "aggregate", "list", "none", "recurse", "x"),
        "renderer": _of("yaml", "yamlex", "jinja|yaml"),
        "merge_lists": _BOOL,
    }),
    ("dictupdate", "merge_recurse", [mapping, mapping], {"merge_lists": _BOOL}),
    ("dictupdate", "merge_list", [mapping, mapping], {}),
    ("dictupdate", "ensure_dict_key", [mapping, _path], {}),
    ("dictupdate", "set_dict_key_value", [mapping, _path, value], {}),
    ("dictupdate", "update_dict_key_value", [mapping, _path, value], {}),
    ("dictupdate", "append_dict_key_value", [mapping, _path, value], {}),
    ("dictupdate", "extend_dict_key_value", [mapping, _path, value], {}),
    ("stringutils", "to_str", [_any], {}),
    ("stringutils", "to_bytes", [_any], {}),
    ("stringutils", "to_unicode", [_any], {}),
    ("stringutils", "to_none", [_any], {}),
    ("stringutils", "to_num", [_any], {}),
    ("stringutils", "is_quoted", [_of(*TEXTS[1:])], {}),
    ("stringutils", "dequote", [_of(*TEXTS[1:])], {}),
    ("stringutils", "is_hex", [_text], {}),
    ("stringutils", "is_binary", [_text], {}),
    ("stringutils", "contains_whitespace", [_text], {}),
    ("stringutils", "human_to_bytes", [_SIZE], {"handle_metric": _BOOL, "default_unit": _of("B", "M")}),
    ("stringutils", "expr_match", [_text, _PATTERN], {}),
    ("stringutils", "check_whitelist_blacklist", [_text], {"whitelist": _PATTERNS, "blacklist": _PATTERNS}),
    ("stringutils", "check_include_exclude", [_text, _PATTERN, _PATTERN], {}),
    ("stringutils", "camel_to_snake_case", [_text], {}),
    ("stringutils", "snake_to_camel_case", [_text], {"uppercamel": _BOOL}),
    ("stringutils", "get_context", [_of("a\nb\nc\nd\ne\nf\ng"), _of(1, 3, 7)], {"num_lines": _of(1, 5)}),
    ("stringutils", "get_diff", [_lines, _lines], {}),
    ("stringutils", "build_whitespace_split_regex", [_of("a b", " a", "a", "a.b  c", "(", "")], {}),
    ("args", "parse_input", [_texts], {"condition": _BOOL}),
    ("args", "yamlify_arg", [_of(*TEXTS)], {}),
    ("args", "condition_input", [_texts, mapping], {}),
    ("args", "parse_kwarg", [_text], {}),
    ("args", "parse_function", [_of(*CALLS)], {}),
    ("args", "split_input", [_any], {}),
    ("args", "shlex_split", [_any], {}),
    ("args", "clean_kwargs", [], {"a": value, "__b": value}),
    ("network", "is_ip", [_ADDRESS], {}),
    ("network", "is_ipv4", [_ADDRESS], {}),
    ("network", "is_ipv6", [_ADDRESS], {}),
    ("network", "is_subnet", [_ADDRESS], {}),
    ("network", "is_ipv4_subnet", [_ADDRESS], {}),
    ("network", "is_ipv6_subnet", [_ADDRESS], {}),
    ("network", "is_loopback", [_of("127.0.0.1", "::1", "10.0.0.1")], {}),
    ("network", "sanitize_host", [_of("a.b", "a b", "a_b", "a;b")], {}),
    ("network", "ip_bracket", [_ADDRESS], {"strip": _BOOL}),
    ("network", "parse_host_port", [_ADDRESS], {}),
    ("network", "cidr_to_ipv4_netmask", [_NUMBER], {}),
    ("network", "calc_net", [_of("10.0.0.7/24", "10.0.0.7", "::1/64", "x"), _of(None, "255.255.0.0")], {}),
    ("network", "hex2ip", [_of("0100007F", "7F0001", "x", f"{1 << 24:032X}")], {"invert": _BOOL}),
    ("network", "mac2eui64", [_of("00:11:22:33:44:55", "x"), _of(None, "fe80::/64")], {}),
    ("network", "in_subnet", [_of("10.0.0.0/24", "x", "::/0"), _ADDRESS], {}),
    ("network", "network_size", [_ADDRESS], {}),
    ("network", "network_hosts", [_of("10.0.0.0/29", "10.0.0.1", "x", "::/126")], {}),
    ("network", "ipaddr", [_ADDRESS], {}),
    ("network", "filter_by_networks", [_of(["10.0.0.1", "::1"], []), _of(["10.0.0.0/24"], [], None)], {}),
    ("url", "parse", [_URL], {}),
    ("url", "create", [_URL], {"saltenv": _of(None, "dev")}),
    ("url", "is_escaped", [_URL], {}),
    ("url", "escape", [_URL], {}),
    ("url", "unescape", [_URL], {}),
    ("url", "add_env", [_URL, _of("dev", None)], {}),
    ("url", "split_env", [_URL], {}),
    ("url", "validate", [_URL, _of(["salt", "http"], [])], {}),
    ("url", "strip_proto", [_URL], {}),
    ("url", "add_http_basic_auth", [_URL, _of("u", None)], {"https_only": _BOOL}),
    ("url", "redact_http_basic_auth", [_URL], {}),
    ("versions", "version_cmp", [_VERSION, _VERSION], {"ignore_epoch": _BOOL}),
    ("versions", "compare", [_VERSION, _of(*OPERATORS), _VERSION], {}),
    ("yaml", "safe_dump", [value], {"default_flow_style": _BOOL}),
    ("yaml", "safe_load", [_text], {}),
    ("json", "dumps", [value], {"indent": _of(None, 2), "sort_keys": _of(False)}),
    ("json", "loads", [_of("1", "{}", "[1,", '{"a": null}', "x", "")], {}),
    ("json", "find_json", [_of('x {"a": 1} y', "[1]", "x", "a\n{}\n", "{} {}")], {}),
    ("dateutils", "date_cast", [_of("2020-01-02", 0, "1577836800", None)], {}),
    ("dateutils", "strftime", [_of("2020-01-02", 86400), _of("%Y", "%Y-%m-%d")], {}),
    ("jid", "is_jid", [_of("20200102030405000000", "x", "2020010203040500000a", 20200102030405000000)], {}),
    ("jid", "jid_to_time", [_of("20200102030405000001", "x", "20201302030405000000")], {}),
    ("path", "join", [_text, _text], {}),
    ("files", "human_size_to_bytes", [_SIZE], {}),
    ("files", "guess_archive_type", [_of("a.tar.gz", "a.zip", "a.tgz", "a.rar", "a", "a.tar.xz")], {}),
    ("files", "normalize_mode", [_of("0644", "644", 644, None, "u+x", 420, "", "1777", "0o644")], {}),
    ("files", "safe_filename_leaf", [_of("a/b", "a:b", "a b", "*")], {}),
    ("itertools", "split", [_of("a b  c", "", "a,b", " a"), _of(None, ",")], {}),
    ("hashutils", "base64_b64encode", [_text], {}),
    ("hashutils", "base64_b64decode", [_of("YQ==", "x", "")], {}),
    ("hashutils", "sha256_digest", [_text], {}),
    ("validate.net", "mac", [_of("00:11:22:33:44:55", "0011", "00:11:22:33:44:5g")], {}),
    ("validate.net", "ipv4_addr", [_ADDRESS], {}),
    ("validate.net", "ipv6_addr", [_ADDRESS], {}),
    ("validate.net", "ip_addr", [_ADDRESS], {}),
    ("validate.net", "netmask", [_of("255.255.255.0", "24", 24, "255.0.255.0", "x", "0.0.0.0")], {}),
    ("http", "sanitize_url", [_of("https://h:8/x?y=1", "http://u:p@h/?a=1&y=2"), _of(["y"], None)], {}),
    ("listdiffer", "list_diff", [_rows, _rows, _of("name")], {}),
]  # fmt: skip


def random_call(dice: random.Random) -> tuple[str, str, list[Any], dict[str, Any]]:
    """Return a random call."""
    module, function, makers, keywords = dice.choice(FUNCTIONS)
    arguments = [make(dice) for make in makers]
    given = {name: make(dice) for name, make in keywords.items() if dice.random() < 0.5}
    return module, function, arguments, given


def random_word(dice: random.Random) -> str:
    """Return a random word of a command line."""
    return "".join(dice.choice(PIECES) for _ in range(dice.choice([1, 1, 2, 2, 3, 4, 5, 6])))
