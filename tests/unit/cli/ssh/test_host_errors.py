"""Texts of errors of functions on hosts."""

import pytest

from salt_g import api
from salt_g.cli.ssh.host_errors import named_in_templates
from salt_g.errors import CommandExecutionError


def fail():
    raise CommandExecutionError("no")


def outer():
    return named_in_templates("mine.fail", fail)()


def test_an_error_names_the_function_that_a_template_calls_and_no_inner_one(call_context):
    context = call_context()

    with api.use(context.replace(in_template=True)), pytest.raises(CommandExecutionError) as failed:
        named_in_templates("mine.outer", outer)()

    assert str(failed.value) == "Error running 'mine.outer': no"


def test_other_callers_get_the_functions_own_error(call_context):
    call_context()

    assert named_in_templates("mine.fail", fail) is fail
