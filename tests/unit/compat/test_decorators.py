"""`salt.utils.decorators.depends` in users' files: the functions that are offered, as in stock's tests."""

import sys
import types

import pytest

from salt_g.errors import InvocationError
from salt_g.loader.plugin import public_functions

SOURCE = """
import sys, types
from salt_g.compat.utils.calls.decorators import depends as needs

old = types.SimpleNamespace(__version__=1.8)

def _instead(): return "instead"

{decorators}
def function(): return "itself"
"""
EXIT = f'"{sys.executable} -c raise(SystemExit(42))"'


@pytest.fixture
def module():
    """Return a function that makes a module with one function under these decorators."""

    def make(*decorators):
        made = types.ModuleType("users_own")
        exec(SOURCE.format(decorators="\n".join(f"@needs({words})" for words in decorators)), vars(made))
        return made

    return make


def offered(module):
    function = public_functions(module, is_ours=False).get("function")
    return function and function()


@pytest.mark.parametrize(
    ("decorators", "value"),
    [
        (["True"], "itself"),
        (["False"], None),
        (["'sys'"], "itself"),
        (["'missing'"], None),
        (["'sys', 'missing'"], None),
        (["'missing', fallback_function=_instead"], "instead"),
        (["'sys', fallback_function=_instead"], "itself"),
        (["'sys'", "'missing'"], None),
        (["'missing'", "'sys'"], None),
        (["'old', version='1.0'"], "itself"),
        (["'old', version='2.0'"], None),
        (["'sys', version='1.0'"], None),
        ([f"{EXIT}, retcode=42"], "itself"),
        ([f"{EXIT}, retcode=0"], None),
        ([f"{EXIT}, nonzero_retcode=True"], "itself"),
        ([f"{EXIT}, nonzero_retcode=False"], None),
        (["'/no/such/program', retcode=0"], None),
    ],
)
def test_a_function_is_offered_where_it_has_what_it_needs(module, decorators, value):
    assert offered(module(*decorators)) == value


def test_a_call_inside_of_the_module_says_what_is_missing(module):
    with pytest.raises(InvocationError, match="function needs missing"):
        module("'missing'").function()
