"""References of `listen` and `use`."""

from salt_g.lint.reference_check import listen_problems, use_problems
from salt_g.shapes.high_data import HighData


def chunk(state_id, state="test", **values):
    low = {"state": state, "fun": "nop", "__id__": state_id, "name": state_id, "__sls__": "a"}
    return {**low, **values}


def wanted(problems):
    return [(problem.state_id, problem.wanted) for problem in problems]


def test_listening_to_names_ids_and_modules():
    chunks = [
        chunk("x", listen=[{"file": "/y"}, "y", {"test": "x"}], listen_in=["z", {"file": "z"}]),
        chunk("y", "file", name="/y"),
        chunk("z"),
    ]

    assert wanted(listen_problems(chunks)) == [("x", "z")]


def test_a_module_that_has_no_such_state():
    assert wanted(listen_problems([chunk("x", listen=[{"pkg": "x"}])])) == [("x", "x")]


def test_copies_of_states():
    high = {
        "x": {
            "test": [{"use": [{"test": "y"}, "y", {"sls": "a"}, {"test": "named"}]}, "nop"],
            "__sls__": "a",
        },
        "y": {"test": [{"name": "named"}, {"use_in": [{"file": "x"}]}, "nop"], "__sls__": "a"},
    }

    assert wanted(use_problems(HighData(high))) == [("y", "x")]
