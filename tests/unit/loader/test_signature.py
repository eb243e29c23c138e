"""Parameters of plugin functions."""

import functools

import pytest

from salt_g.loader.signature import signature_of


def plain(a, b=1, *args, c, d=2, **kwargs):
    """Have a parameter of each kind."""


class Callable:
    def __call__(self, a, *, b=1):
        """Accept two arguments."""

    def method(self, a, b=1):
        """Accept two arguments."""


def test_each_kind_of_parameter_is_known():
    found = signature_of(plain)

    assert (found.positional, found.keyword_only) == (("a", "b"), ("c", "d"))
    assert (found.defaults, found.required) == ({"b": 1, "d": 2}, ("a", "c"))
    assert (found.takes_varargs, found.takes_keywords, found.accepts("anything")) == (True, True, True)


def test_a_method_takes_what_is_left_for_its_caller():
    found = signature_of(Callable().method)

    assert (found.names, found.required) == (("a", "b"), ("a",))
    assert not found.accepts("self")


def test_a_wrapper_has_the_parameters_of_what_it_wraps():
    @functools.wraps(plain)
    def outer(*args, **kwargs):
        return plain(*args, **kwargs)

    assert signature_of(outer) == signature_of(plain)


@pytest.mark.parametrize("function", [functools.partial(lambda a, b=1: a), Callable()])
def test_other_callables_are_looked_into_as_well(function):
    assert signature_of(function).names == ("a", "b")


def test_arguments_given_by_a_partial_are_no_longer_required():
    assert signature_of(functools.partial(plain, 1)).required == ("c",)
