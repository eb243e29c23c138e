"""Functions that a job calls by name."""

import pytest

from salt_g.auth.called_functions import MOST_LEVELS, with_called
from salt_g.auth.permissions import FunctionCall, allows


@pytest.mark.parametrize(
    ("call", "called"),
    [
        (FunctionCall("test.ping"), []),
        (FunctionCall("test.try"), []),
        (FunctionCall("test.try", ["cmd.run"], {"cmd": "id"}), [FunctionCall("cmd.run", [], {"cmd": "id"})]),
        (
            FunctionCall("test.try", (), {"module": "cmd.run", "return_try_exception": True}),
            [FunctionCall("cmd.run", [], {})],
        ),
        (FunctionCall("test.cross_test", ["file.remove", ["/x"]]), [FunctionCall("file.remove", ["/x"], {})]),
        (FunctionCall("test.cross_test", ["file.remove", "/x"]), [FunctionCall("file.remove", ["/x"], {})]),
        (
            FunctionCall("test.cross_test", (), {"func": "file.remove", "args": ["/x"]}),
            [FunctionCall("file.remove", ["/x"], {})],
        ),
        (FunctionCall("test.try", [["cmd.run"]]), [FunctionCall("")]),
    ],
)
def test_the_called_function_follows(call, called):
    assert with_called([call]) == [call, *called]


def test_calls_within_each_other_are_followed_so_far_and_then_refused():
    deep = ["cmd.run"]
    for _ in range(MOST_LEVELS):
        deep = ["test.cross_test", deep]

    found = with_called([FunctionCall(deep[0], deep[1:])])

    assert found[-1] == FunctionCall("")
    assert not allows(["*"], found, (), lambda target: ())
