"""Parsing of command-line words to the values of stock."""

import math

import pytest

from salt_g.errors import UnknownKeywords
from salt_g.loader.arguments import fit, parse_words, read_value, usage

#: What stock Salt 3008.3 makes of each word (`salt-call --local test.arg_repr -- WORD`).
STOCK = [
    ("---", "---"),
    (" ...", " ..."),
    ('""', ""),
    ("''", ""),
    ("foo\t\nbar", "foo\t\nbar"),
    ("1\n", "1\n"),
    ('{"a":\n 1}', '{"a":\n 1}'),
    ("[1,\t2]", "[1,\t2]"),
    ("yes # indeed", True),
    ("k: v # c", {"k": "v"}),
    ("  # c", "  # c"),
    ("0x1_", 1),
    ("1", 1),
    ("1.5", 1.5),
    ("0644", 644),
    ("1_000", "1_000"),
    (" 1_000 ", " 1_000 "),
    ("-1_000", -1000),
    ("+1_0", 10),
    ("!!binary", "!!binary"),
    ("None", None),
    ("null", None),
    ("~", None),
    ("True", True),
    ("yes", True),
    ("a b", "a b"),
    ("{a: 1}", {"a": 1}),
    ("[1,2]", [1, 2]),
    ("a: 1", "a: 1"),
    ("- a", "- a"),
    ("#foo", "#foo"),
    ("a #b", "a #b"),
    ("{a: 1} #x", {"a": 1}),
    ("|", "|"),
    ("", ""),
    (" ", " "),
    ("!x", "!x"),
    ("%x", "%x"),
    ("1e3", "1e3"),
    ("0x10", 16),
    ("2015-01-01", "2015-01-01"),
    ("12:30:45", 45045),
    ("'q'", "q"),
    ('"q"', "q"),
    ("foo:", "foo:"),
    ("*", "*"),
    ("&a", None),
    ("@a", "@a"),
    ("{{a}}", "{{a}}"),
    ("[1", "[1"),
    ("a,b", "a,b"),
    ("1,2", "1,2"),
    ("0", 0),
    ("+1", 1),
    ("1.", 1.0),
    (".5", 0.5),
    ("inf", "inf"),
    (".inf", math.inf),
    ("nan", "nan"),
    ("1e+3", "1e+3"),
    ("0o17", "0o17"),
    ("0b11", 3),
    ("0777", 777),
    ("08", "08"),
    ("multi\nline", "multi\nline"),
    ("a: 1\nb: 2", "a: 1\nb: 2"),
    ("false", False),
    ("OFF", False),
    ("n", "n"),
    ("http://a=b", "http://a=b"),
    ("x:y=z", "x:y=z"),
    ("{a: 1}x", "{a: 1}x"),
    ("[a]b", "[a]b"),
    ('"a" b', '"a" b'),
    ("1 2", "1 2"),
    ("[a, b] # c", ["a", "b"]),
    ("-", "-"),
    ("? a", "? a"),
    ("> x", "> x"),
    ("1_0.5", 10.5),
    ("true ", True),
    ("  5", 5),
    (" x ", "x"),
    ("`a", "`a"),
    ("a\tb", "a\tb"),
    ("é", "é"),
    ("None ", "None"),
    ("NULL", None),
    ("2015-01-01 10:00:00", "2015-01-01 10:00:00"),
    ("1.0.0", "1.0.0"),
    ("0.10", 0.1),
    ("1e400", "1e400"),
    ("9" * 30, int("9" * 30)),
    ("key = value", "key = value"),
    ('{"a": null}', {"a": None}),
    ("!!python/object:x", "!!python/object:x"),
    ("!!str 5", "5"),
    ("<<: a", "<<: a"),
    ("y", "y"),
    ("on", True),
    ("-1", -1),
    ("--", "--"),
    ("-x", "-x"),
    ("tRUE", "tRUE"),
    ("nO", "nO"),
]


@pytest.mark.parametrize(("word", "value"), STOCK)
def test_a_word_is_read_as_stock_reads_it(word, value):
    read = read_value(word)

    assert read == value
    assert type(read) is type(value)


def test_a_name_and_an_equals_sign_make_a_keyword():
    args, kwargs = parse_words(["a=b=a", "c.d=3", "g-h=2", "_i=3", "e=", "k=#c", "l=[a", "__x__=1"])

    assert args == []
    assert kwargs == {"a": "b=a", "c.d": 3, "g-h": 2, "_i": 3, "e": "", "k": "#c", "l": "[a", "__x__": 1}


def test_pillar_alone_may_be_a_mapping_of_several_lines():
    args, kwargs = parse_words(['pillar={"a":\n 1}', 'contents={"a":\n 1}'])

    assert args == []
    assert kwargs == {"pillar": {"a": 1}, "contents": '{"a":\n 1}'}


def test_words_that_do_not_begin_with_a_name_stay_positional():
    args, kwargs = parse_words(["x y=1", "=z", "1a=2", "a==b", "http://a=b"])

    assert args == ["x y=1", "=z", "1a=2", "a==b", "http://a=b"]
    assert kwargs == {}


def test_values_of_unparsed_keywords_stay_text():
    assert parse_words(["a=1", "b=1"], unparsed=["a"]) == ([], {"a": "1", "b": 1})


def test_published_data_goes_only_to_functions_that_take_any_keyword():
    published = {"jid": "20260101000000000000"}

    assert fit(lambda x: x, [1], {}, published=published) == ([1], {})
    assert fit(lambda **kw: kw, [], {}, published=published) == ([], {"__pub_jid": "20260101000000000000"})


def test_an_unknown_keyword_is_refused_with_the_nearest_one():
    def function(cwd=None):
        return cwd

    with pytest.raises(UnknownKeywords) as caught:
        fit(function, [], {"cwdd": "/"}, published={})

    assert str(caught.value) == "The following keyword arguments are not valid: cwdd=/"
    assert caught.value.nearest == ["cwd"]


def test_the_usage_line_shows_what_is_required_and_what_has_a_default():
    def run(cmd, cwd=None, *more, shell="/bin/sh", **kwargs):
        return cmd, cwd, more, shell, kwargs

    assert usage("cmd.run", run) == "cmd.run CMD [cwd=None] [shell='/bin/sh'] [ARG ...] [NAME=VALUE ...]"


def test_the_nearest_keyword_is_found_in_any_case():
    with pytest.raises(UnknownKeywords) as caught:
        fit(lambda test=None: test, [], {"TEST": True}, published={})

    assert caught.value.nearest == ["test"]
