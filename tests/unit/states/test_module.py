"""Execution functions as states, written in two ways."""

import pytest

from salt_g.states import module


def arg(*args, **kwargs):
    return {"args": list(args), "kwargs": kwargs}


def echo(text):
    return text


def named(name, saltenv="base"):
    return [name, saltenv]


def broken():
    raise ValueError("odd")


FUNCTIONS = {
    "test.arg": arg,
    "test.echo": echo,
    "my.named": named,
    "my.broken": broken,
    "test.no": lambda: False,
}


@pytest.fixture(autouse=True)
def context(call_context):
    return call_context(functions=FUNCTIONS)


def test_the_new_way_takes_lists_with_keywords():
    ret = module.run(name="m", **{"test.arg": ["one", {"k": "v"}], "test.echo": [{"text": "hi"}]})

    assert ret == {
        "name": ["test.arg", "test.echo"],
        "changes": {"test.arg": {"args": ["one"], "kwargs": {"k": "v"}}, "test.echo": "hi"},
        "result": True,
        "comment": "test.arg: Success, test.echo: hi",
    }


def test_the_new_way_names_missing_functions_and_arguments():
    assert module.run(**{"no.such": []})["comment"] == "Unavailable function: no.such."
    assert module.run(**{"test.echo": None})["comment"] == "'test.echo' failed: Missing arguments: text"
    assert module.run(**{"test.no": None})["comment"] == "'test.no': False"


def test_a_label_lets_a_function_be_called_twice():
    ret = module.run(**{"test.echo:a": ["1"], "test.echo:b": ["2"]})

    assert ret["changes"] == {"test.echo:a": "1", "test.echo:b": "2"}


def test_test_mode_only_reports_what_would_be_called(call_context):
    call_context(functions=FUNCTIONS, opts={"test": True})

    assert module.run(**{"test.echo": ["x"]})["comment"] == "Function test.echo to be executed."
    assert module.run(name="test.echo", text="x")["comment"] == "Module function test.echo is set to execute"


def test_the_old_way_takes_arguments_beside_the_name():
    ret = module.run(name="test.echo", text="hi")

    assert (ret["result"], ret["changes"], ret["comment"]) == (
        True,
        {"ret": "hi"},
        "Module function test.echo executed",
    )


def test_the_old_way_prefixes_names_that_a_chunk_uses_itself():
    assert module.run(name="my.named", m_name="n", m_saltenv="dev")["changes"] == {"ret": ["n", "dev"]}


def test_the_old_way_takes_lists_and_mappings_for_open_arguments():
    ret = module.run(name="test.arg", args=[1, 2], kwargs={"k": "v"})

    assert ret["changes"] == {"ret": {"args": [1, 2], "kwargs": {"k": "v"}}}


@pytest.mark.parametrize(
    ("options", "comment"),
    [
        ({"name": "no.such"}, "Module function no.such is not available"),
        ({"name": "my.named", "x": 1}, "The following arguments are missing: m_name"),
        ({"name": "test.arg", "args": 1}, "'args' must be a list."),
        ({"name": "my.broken", "x": 1}, "Module function my.broken threw an exception. Exception: odd"),
    ],
)
def test_the_old_way_says_what_is_wrong(options, comment):
    ret = module.run(**options)

    assert (ret["result"], ret["comment"]) == (False, comment)


def test_a_result_or_retcode_deep_in_a_return_decides(call_context):
    call_context(functions={"my.fun": lambda: {"a": {"retcode": 2}}})

    assert module.run(name="my.fun")["result"] is False
