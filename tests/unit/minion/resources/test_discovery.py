"""Discovery of resources: valid and invalid results of `discover`."""

import pytest


def discovering(body):
    return {"t/__init__.py": f"def discover(opts):\n    {body}\n"}


@pytest.mark.parametrize(
    ("body", "ids"),
    [
        ("return ['b', 'a', 'b']", ["b", "a"]),
        ("return {'a': 1, 'b': 2}", ["a", "b"]),
        ("yield 'a'; yield 7", ["a", "7"]),
        ("return []", []),
        ("return ['m1', 'ok']", ["ok"]),
    ],
)
def test_ids_come_in_their_order_and_once(managed, body, ids):
    assert managed({"t": {}}, discovering(body)).ids == {"t": ids}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 'abc'", "TypeError: discover returned str, not ids"),
        ("return None", "TypeError: discover returned NoneType, not ids"),
        ("yield 'a'; raise OSError('gone')", "OSError: gone"),
        ("raise SystemExit(1)", "SystemExit: 1"),
    ],
)
def test_a_malformed_list_of_ids_is_a_reason_and_gives_none(managed, body, reason):
    made = managed({"t": {}}, discovering(body))

    assert (made.ids, made.trouble) == ({"t": []}, {"resources:t": f"discover: {reason}"})


def test_a_device_that_does_not_answer_costs_its_type_and_no_other(managed):
    made = managed(
        {"t": {}, "u": {"resource_ids": ["a"]}},
        {
            **discovering("import gevent.event; gevent.event.Event().wait()"),
            "u/__init__.py": "def grains():\n    return {}\n",
        },
        resource_timeout=0.05,
    )

    assert made.ids == {"t": [], "u": ["a"]}
    assert made.trouble == {"resources:t": "discover: no answer within 0.05 s"}


def test_a_secret_of_the_pillar_is_in_no_reason(managed, caplog):
    made = managed(
        {"t": {"password": "hunter22"}},
        discovering("raise OSError('login with ' + opts['pillar']['resources']['t']['password'])"),
    )

    assert "login with" in made.trouble["resources:t"]
    assert "hunter22" not in made.trouble["resources:t"] + caplog.text


def test_a_long_or_odd_id_is_shown_short_and_in_ascii(managed):
    made = managed({"t": {"resource_ids": ["ü" * 300, "ok"]}}, {"t/__init__.py": "x = 1\n"})

    [path] = made.trouble
    assert made.ids == {"t": ["ok"]}
    assert path.isascii() or path.endswith("…")
    assert len(path) <= 201
