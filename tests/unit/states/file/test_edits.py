import pytest

from salt_g import api
from salt_g.states.file import (
    accumulated,
    append,
    blockreplace,
    comment,
    keyvalue,
    line,
    prepend,
    replace,
    serialize,
    uncomment,
)


@pytest.fixture
def text_file(tmp_path):
    path = tmp_path / "f"

    def make(text):
        path.write_text(text)
        return str(path)

    make.read = path.read_text
    return make


def test_append_adds_only_the_lines_that_are_missing(file_context, text_file):
    file_context()
    name = text_file("one\nsecond   line\n")

    ret = append(name, text=["one", "second line", "three"])

    assert ret["comment"] == "Appended 1 lines"
    assert text_file.read() == "one\nsecond   line\nthree\n"


def test_append_makes_a_missing_file(file_context, tmp_path):
    file_context()

    append(str(tmp_path / "d" / "f"), text="x", makedirs=True)

    assert (tmp_path / "d" / "f").read_text() == "x\n"


def test_prepend_with_header_wants_the_lines_first(file_context, text_file):
    file_context()
    name = text_file("#!/bin/sh\nfirst\n")

    prepend(name, text=["first"], header=True)
    again = prepend(name, text=["first"], header=True)

    assert text_file.read() == "first\n#!/bin/sh\nfirst\n"
    assert again["changes"] == {}


def test_replace_in_test_mode_shows_the_diff(file_context, text_file):
    file_context(test=True)
    name = text_file("port=1\n")

    ret = replace(name, pattern="port=.*", repl="port=2")

    assert (ret["result"], ret["comment"]) == (None, "Changes would have been made")
    assert text_file.read() == "port=1\n"


def test_a_missing_file_is_an_error_unless_it_may_be(file_context, tmp_path):
    file_context()
    name = str(tmp_path / "none")

    assert replace(name, "a", "b")["comment"] == f"{name}: file not found"
    assert replace(name, "a", "b", ignore_if_missing=True)["result"] is True


def test_line_is_put_after_the_line_that_fits(file_context, text_file):
    file_context()
    name = text_file("  alpha\nbeta\n")

    line(name, content="new", mode="ensure", after="alpha")

    assert text_file.read() == "  alpha\n  new\nbeta\n"


def test_blockreplace_takes_what_was_accumulated_for_it(file_context, text_file):
    context = file_context()
    name = text_file("# S\n# E\n")
    low = {"__id__": "acc", "__sls__": "a", "require_in": [{"file": "block"}]}
    with api.use(context.replace(low=low)):
        accumulated("texts", filename=name, text=["one", "two"])
    with api.use(context.replace(low={"__id__": "block"})):
        blockreplace(name, marker_start="# S", marker_end="# E", content="base")

    assert text_file.read() == "# S\nbase\none\ntwo\n# E\n"


def test_an_accumulator_without_a_dependant_is_an_error(file_context):
    context = file_context()
    with api.use(context.replace(low={"__id__": "acc", "__sls__": "a"})):
        ret = accumulated("texts", filename="/f", text="x")

    assert ret["comment"] == "Orphaned accumulator texts in a:acc"


def test_comment_and_uncomment_are_each_others_way_back(file_context, text_file):
    file_context()
    name = text_file("bind all\nport 22\n")

    there = comment(name, "^bind", backup=False)
    back = uncomment(name, "bind", backup=False)

    assert there["comment"] == "Commented lines successfully"
    assert back["comment"] == "Uncommented lines successfully"
    assert text_file.read() == "bind all\nport 22\n"


@pytest.mark.parametrize(
    ("before", "options", "after"),
    [
        ("a=1\n", {"key": "a", "value": 2}, "a=2\n"),
        ("#a=1\n", {"key": "a", "value": "2", "uncomment": "#"}, "a=2\n"),
        ("a=2\na=3\n", {"key": "a", "value": 2}, "a=2\n"),
        ("b=1\n", {"key": "a", "value": 2, "append_if_not_found": True}, "b=1\na=2\n"),
        ("b=1\n", {"key": "a", "value": 2, "prepend_if_not_found": True}, "a=2\nb=1\n"),
        ("b=1\na=2\n", {"key": "a", "value": 2, "prune": True}, "a=2\n"),
        ("A=x\n", {"key": "a", "value": "X", "key_ignore_case": True, "value_ignore_case": True}, "A=x\n"),
        ("Port 1\n", {"key": "Port", "value": 2, "separator": " "}, "Port 2\n"),
    ],
)
def test_keyvalue_sets_settings(file_context, text_file, before, options, after):
    file_context()
    name = text_file(before)

    keyvalue(name, **options)

    assert text_file.read() == after


def test_serialize_merges_into_what_is_there(file_context, text_file):
    file_context()
    name = text_file('{"old": true, "d": {"k1": 1}}')

    ret = serialize(name, dataset={"d": {"k2": 2}}, formatter="json", merge_if_exists=True)

    assert ret["changes"] == {"diff": {"d": {"k2": {"new": 2, "old": "<_null_>"}}}}
    assert text_file.read() == '{\n  "d": {\n    "k1": 1,\n    "k2": 2\n  },\n  "old": true\n}\n'


def test_an_unknown_serializer_is_named(file_context, tmp_path):
    file_context()

    ret = serialize(str(tmp_path / "f"), dataset={"a": 1}, formatter="runes")

    assert ret["comment"].startswith("The runes serializer could not be found.")


def test_serialize_merges_into_packed_data(file_context, tmp_path):
    import msgpack

    file_context()
    path = tmp_path / "packed"
    path.write_bytes(msgpack.packb({1: "ü"}))

    ret = serialize(str(path), dataset={"b": 2}, formatter="msgpack", merge_if_exists=True)

    assert ret["result"] is True
    assert msgpack.unpackb(path.read_bytes(), strict_map_key=False) == {1: "ü", "b": 2}
