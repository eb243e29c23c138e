"""Calls that a job makes by the name of a function."""

import pytest

from salt_g.auth.called_functions import MOST_LEVELS, with_called
from salt_g.auth.permissions import Call, allows


@pytest.mark.parametrize(
    ("call", "called"),
    [
        (Call("test.ping"), []),
        (Call("test.try"), []),
        (Call("test.try", ["cmd.run"], {"cmd": "id"}), [Call("cmd.run", [], {"cmd": "id"})]),
        (
            Call("test.try", (), {"module": "cmd.run", "return_try_exception": True}),
            [Call("cmd.run", [], {})],
        ),
        (Call("test.cross_test", ["file.remove", ["/x"]]), [Call("file.remove", ["/x"], {})]),
        (Call("test.cross_test", ["file.remove", "/x"]), [Call("file.remove", ["/x"], {})]),
        (
            Call("test.cross_test", (), {"func": "file.remove", "args": ["/x"]}),
            [Call("file.remove", ["/x"], {})],
        ),
        (Call("test.try", [["cmd.run"]]), [Call("")]),
    ],
)
def test_the_called_function_follows(call, called):
    assert with_called([call]) == [call, *called]


def test_calls_within_each_other_are_followed_so_far_and_then_refused():
    deep = ["cmd.run"]
    for _ in range(MOST_LEVELS):
        deep = ["test.cross_test", deep]

    found = with_called([Call(deep[0], deep[1:])])

    assert found[-1] == Call("")
    assert not allows(["*"], found, (), lambda target: ())
