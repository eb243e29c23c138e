"""Separation of a job's arguments from the fields of its publication."""

import pytest

from salt_g.minion.jobs.minion_job_arguments import arguments_for

LOAD = {"jid": "20260102030405678901", "user": "root", "fun": "test.kwarg"}


def function(*args, **kwargs):
    """Accept any arguments."""


@pytest.mark.parametrize("name", ["__pub_id", "__pub_user", "__pub_jid", "__pub_x"])
def test_an_argument_is_not_a_word_of_the_publication(name):
    for arg in ([{"__kwarg__": True, name: "forged", "own": 1}], [f"{name}=forged", "own=1"]):
        args, kwargs = arguments_for(function, arg, LOAD)

        assert args == []
        assert kwargs == {"own": 1, **{f"__pub_{field}": value for field, value in LOAD.items()}}
