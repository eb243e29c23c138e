"""Hints of the command line on stderr: source locations in SLS, nearest names."""

import pytest

BROKEN = {
    "yaml": (
        "a:\n  test.nop: []\nb:\n  - x: [1\n  c: d\n",
        "salt://yaml.sls:4 (base): a bracket or brace is opened but not closed: a, b",
    ),
    "jinja": ("a:\n  test.nop: []\n{% if x %}\n", "salt://jinja.sls:3 (base): a, b"),
    "unknown": ("x:\n  test.nop:\n    - name: {{ nope.foo }}\n", "salt://unknown.sls:3 (base): a, b"),
}


@pytest.fixture(scope="module")
def fleet(shared_daemons):
    master = shared_daemons.start_master()
    for id in ("a", "b"):
        shared_daemons.start_minion(master, id)
    return master


def test_the_place_of_what_does_not_compile_is_reported_beside_the_returns(fleet, salt):
    for name, (text, place) in BROKEN.items():
        (fleet.root / "states" / f"{name}.sls").write_text(text)

        result = salt(fleet, "*", "state.apply", name)

        assert result.code == 1
        assert place in result.err.splitlines()
        [message] = result.minions["a"]
        assert message.startswith(f"Rendering SLS 'base:{name}' failed: ")
        assert "salt://" not in message


def test_a_mistyped_function_is_reported_with_the_nearest_ones(fleet, salt):
    result = salt(fleet, "*", "test.pign")

    assert result.code == 1
    assert "'test.pign' is not available. Did you mean test.ping" in result.err
    assert result.minions["a"] == "'test.pign' is not available."


def test_an_argument_of_the_wrong_type_is_reported_beside_the_returns(fleet, salt):
    (fleet.root / "states" / "wrong.sls").write_text("/f/g:\n  file.managed:\n    - user: [root]\n")

    result = salt(fleet, "*", "state.apply", "wrong")

    sentence = (
        """salt://wrong.sls:1 (base): file.managed: "user" is a list, expected text or a number (ID '/f/g')"""
    )
    assert result.code == 1
    assert f"{sentence}: a, b" in result.err.splitlines()
