"""Arguments of a job, parsed alike by minions and masters."""

import pytest

from salt_g.loader.job_arguments import split_arguments


@pytest.mark.parametrize(
    ("arg", "split"),
    [
        ([], ([], {})),
        (["a", 5, None], (["a", 5, None], {})),
        (["a", {"__kwarg__": True, "n": 1}], (["a"], {"n": 1})),
        (["n=1", "a"], (["a"], {"n": 1})),
        (["n=[1, 2]"], ([], {"n": [1, 2]})),
        ([{"n": 1}], ([{"n": 1}], {})),
        ([{"__kwarg__": 1, "n": 1}], ([{"__kwarg__": 1, "n": 1}], {})),
        ([{"__kwarg__": True, "n": 1}, "n=2"], ([], {"n": 2})),
        (["[1, 2]", "5", "yes"], (["[1, 2]", "5", "yes"], {})),
        (["a b=1"], (["a b=1"], {})),
        (["=1"], (["=1"], {})),
        ([{"__kwarg__": True, 5: 1}], ([], {"5": 1})),
    ],
    ids=str,
)
def test_positional_and_keyword_arguments_part(arg, split):
    assert split_arguments(arg) == split


def test_the_job_itself_stays_as_it_was():
    arg = [{"__kwarg__": True, "n": 1}]

    split_arguments(arg)

    assert arg == [{"__kwarg__": True, "n": 1}]
