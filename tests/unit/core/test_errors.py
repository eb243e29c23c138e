"""Errors: messages, data as attributes, and base classes that callers catch."""

import inspect

import pytest

from salt_g import errors


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.NoSuchFunction("a.b"), KeyError),
        (errors.InvocationError("x"), TypeError),
        (errors.CommandNotFound("x"), FileNotFoundError),
        (errors.UnsafeMember("../x", "/d"), ValueError),
        (errors.NoReply("master", 5), TimeoutError),
        (errors.UnknownUser("fred", "unknown"), PermissionError),
    ],
)
def test_an_error_is_also_the_one_of_python(error, builtin):
    assert isinstance(error, builtin) and isinstance(error, errors.SaltGError)


def test_every_error_has_one_root():
    classes = [
        cls for _, cls in inspect.getmembers(errors, inspect.isclass) if cls.__module__ == errors.__name__
    ]

    assert all(issubclass(cls, errors.SaltGError) for cls in classes)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (errors.NoSuchFunction("a.b"), "'a.b' is not available."),
        (errors.NoSuchFunction("a.b", reason="needs a moon"), "needs a moon"),
        (errors.NotOffered("a.b", "not for devices"), "not for devices"),
        (errors.PluginError("/x.py", "line 1: no"), "/x.py: line 1: no"),
        (errors.CommandTimeout("sleep", 2.5), "command 'sleep' did not end within 2.5 s and was killed"),
        (errors.ConfigError(["a", "b"]), "a\nb"),
        (errors.CompileError(["a", "b"]), "a\nb"),
        (errors.NoReply("master", 5), "master did not answer within 5 s"),
        (errors.StoreError("/s", "is full"), "store /s: is full"),
    ],
)
def test_the_text_says_what_and_where(error, text):
    assert str(error) == text


def test_unknown_keywords_have_the_nearest_ones_as_advice():
    error = errors.UnknownKeywords({"naem": 1}, nearest=["name"])

    assert str(error) == "The following keyword arguments are not valid: naem=1"
    assert (error.advice, errors.UnknownKeywords({"x": 1}).advice) == ("perhaps you meant: name=", "")


def test_tracebacks_have_stocks_name_of_a_wrong_call():
    assert errors.InvocationError.__qualname__ == "SaltInvocationError"


def test_the_info_of_an_error_is_separate_from_its_text():
    error = errors.CommandExecutionError("it broke", info={"errors": ["x"]})

    assert (str(error), error.info) == ("it broke", {"errors": ["x"]})
