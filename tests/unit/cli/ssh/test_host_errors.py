"""Texts of errors of functions on hosts."""

import pytest

from salt_g import api
from salt_g.cli.ssh.host_errors import HostFunctionFailed, as_wrapper, named, wrapper_error
from salt_g.errors import CommandExecutionError


def fail():
    raise CommandExecutionError("no")


def outer():
    return named("mine.fail", fail)()


def test_an_error_names_the_function_that_a_template_calls_and_no_inner_one(call_context):
    context = call_context()

    with api.use(context.replace(in_template=True)), pytest.raises(CommandExecutionError) as failed:
        named("mine.outer", outer)()

    assert str(failed.value) == "Error running 'mine.outer': no"


def test_an_error_names_the_function_that_a_wrapper_calls(call_context):
    call_context()

    with pytest.raises(HostFunctionFailed, match="^Error running 'mine.fail': no$"):
        as_wrapper(outer)()


def test_other_callers_get_the_functions_own_error(call_context):
    call_context()

    assert named("mine.fail", fail) is fail


@pytest.mark.parametrize(
    ("name", "exc", "text"),
    [
        ("own.f", ValueError("no"), "An Exception occurred while executing own.f: no"),
        ("own.f", TypeError("no"), "TypeError encountered executing own.f: no"),
        ("own.f", HostFunctionFailed("Error running 'disk.usage': no"), None),
    ],
)
def test_an_error_of_a_wrapper_is_a_text_and_one_of_the_host_is_not(name, exc, text):
    assert wrapper_error(name, as_wrapper(fail), exc) == text


def test_an_error_of_a_function_that_asks_an_authority_is_a_text():
    refused = CommandExecutionError("ca_server reported errors:\nno such policy")

    assert (
        wrapper_error("x509.create_certificate", fail, refused)
        == f"An Exception occurred while executing x509.create_certificate: {refused}"
    )
    assert wrapper_error("x509.read_certificate", fail, refused) is None


def test_wrong_arguments_of_what_stock_has_as_wrappers_are_a_text():
    missing = TypeError("single() missing 1 required positional argument: 'name'")

    assert (
        wrapper_error("state.single", fail, missing)
        == f"TypeError encountered executing state.single: {missing}"
    )
    assert (
        wrapper_error("file.touch", fail, missing) is wrapper_error("state.single", fail, KeyError()) is None
    )
