"""Documentation of functions."""

import pytest

from salt_g.language_server.function_docs import documentation


@pytest.fixture
def context(make_project):
    source = "raise SystemExit\ndef list_(a, /, b=1, *c, d, e=None, **f):\n    '''List.'''\n"
    return make_project({"states/_modules/mine.py": source}).lint.context


def test_of_an_included_function(context):
    found = documentation(context.states, "host.present")

    assert found.call().startswith("host.present(name, ip")
    assert found.parameters["name"] is None
    assert found.text


def test_of_a_users_function_whose_file_is_only_parsed(context):
    assert documentation(context.functions, "mine.list_") == (
        "mine.list_",
        {"a": None, "b": "1", "d": None, "e": "None"},
        True,
        "List.",
    )


def test_of_what_does_not_exist(context):
    assert documentation(context.states, "file.nosuch") is None
    assert documentation(context.functions, "mine.nosuch") is None
