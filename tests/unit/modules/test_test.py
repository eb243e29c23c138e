"""The module `test`, with functions for trying out salt-g."""

import sys
import warnings

import pytest

from salt_g import api, errors
from salt_g.modules import test as plugin


@pytest.fixture(autouse=True)
def context(call_context):
    table = {"test.echo": plugin.echo, "test.ping": plugin.ping, "test.exception": plugin.exception}
    return call_context(functions=table, opts={"hash_type": "sha256"})


def test_arguments_come_back_as_they_were_given():
    assert plugin.arg(1, k="v") == {"args": (1,), "kwargs": {"k": "v"}}
    assert plugin.arg_type(1, k="v") == {"args": ["<class 'int'>"], "kwargs": {"k": "<class 'str'>"}}
    assert plugin.arg_clean(1, __pub_fun="test.arg_clean") == {"args": (1,), "kwargs": {}}


def test_retcode_goes_to_the_job():
    assert plugin.retcode(7) is True
    assert api.scratch["retcode"] == 7


def test_cross_test_calls_by_name():
    assert plugin.cross_test("test.echo", ["x"]) == "x"


def test_fib_and_collatz_count():
    assert [plugin.fib(number)[0] for number in range(7)] == [0, 1, 1, 2, 3, 5, 8]
    assert plugin.collatz(3)[0] == [3, 10, 5.0, 16.0, 8.0, 4.0, 2.0]


def test_collatz_refuses_numbers_that_never_reach_one():
    with pytest.raises(ValueError, match="greater than 0"):
        plugin.collatz(0)


def test_raise_exception_knows_python_s_and_stock_s_names():
    with pytest.raises(TypeError, match="broken"):
        plugin.raise_exception("TypeError", "broken", __pub_fun="x")
    with pytest.raises(errors.InvocationError):
        plugin.raise_exception("salt.exceptions.SaltInvocationError", "x")
    assert plugin.raise_exception("print") is False
    assert plugin.raise_exception("SystemExit") is False


def test_try_swallows_or_returns_what_was_raised():
    assert plugin.try_("test.exception") is None
    assert str(plugin.try_("test.exception", return_try_exception=True)) == "Test Exception"


def test_provider_names_the_file():
    assert plugin.provider("test") == "test"
    assert plugin.provider("nothing") == ""
    assert plugin.providers() == {"test": "test"}


def test_versions_report_is_aligned_at_the_colon():
    lines = plugin.versions_report().splitlines()

    assert lines[0] == "Salt Version:"
    assert {line.index(": ") for line in lines if ": " in line} == {lines[1].index(": ")}


def test_random_hash_is_as_long_as_its_type():
    assert len(plugin.random_hash(hash_type="md5")) == 32
    assert len(plugin.rand_str()) == 64


def test_raise_exception_knows_all_names_of_stock():
    for name in ("SaltConfigurationError", "EauthAuthenticationError", "VMwareApiError", "CheckError"):
        with pytest.raises(Exception, match="broken") as caught:
            plugin.raise_exception(f"salt.exceptions.{name}", "broken")
        assert type(caught.value).__name__ == name
    with pytest.raises(errors.CommandExecutionError):
        plugin.raise_exception("salt.exceptions.CheckError", "x")


def test_deprecation_warnings_show_even_where_python_hides_them():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("ignore")

        assert plugin.deprecation_warning() is True

    assert [str(one.message).split()[-1].strip(".") for one in seen] == ["version", "(3000-01-01)"]


def test_deprecation_warnings_are_hidden_when_the_environment_says_so(monkeypatch):
    monkeypatch.setattr(sys, "warnoptions", ["ignore"])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("ignore")

        assert plugin.deprecation_warning() is True

    assert seen == []
