"""High data to chunks."""

from salt_g.shapes.high_data import HighData
from salt_g.state.compile.low import compile_low


def chunks(*arguments, **options):
    return compile_low(
        HighData({"a": {"test": list(arguments), "__sls__": "web", "__env__": "base"}}), **options
    )


def test_keys_are_in_stock_order():
    (chunk,) = chunks("nop", {"x": 1}, {"order": 3})

    assert list(chunk) == ["state", "name", "__sls__", "__env__", "__id__", "x", "order", "fun"]


def test_a_name_that_is_not_a_text_falls_back_to_the_id():
    (chunk,) = chunks("nop", {"name": 5})

    assert chunk["name"] == "a"


def test_names_make_a_chunk_each_with_overrides_and_without_repeats():
    made = chunks("nop", {"x": 0}, {"names": ["one", {"two": [{"x": 2}]}, "one"]})

    assert [(chunk["name"], chunk["x"], chunk["name_order"]) for chunk in made] == [
        ("one", 0, 1),
        ("two", 2, 2),
    ]


def test_state_and_fun_cannot_be_overridden_but_the_id_can():
    (chunk,) = chunks("nop", {"state": "cmd"}, {"fun": "run"}, {"__id__": "z"})

    assert (chunk["state"], chunk["fun"], chunk["__id__"]) == ("test", "nop", "z")


def test_disabled_functions_vanish():
    assert chunks("nop", disabled=["test.*"]) == []


def test_an_orchestration_leaves_its_jid():
    (chunk,) = chunks("nop", orchestration_jid="20260101000000000000")

    assert chunk["__orchestration_jid__"] == "20260101000000000000"
