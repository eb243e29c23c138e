"""`--explain` on the command line: why each state ran or did not."""

TREE = """\
quiet: test.succeed_without_changes
bad: test.fail_without_changes
follow:
  test.nop:
    - onchanges: [{test: quiet}]
needs:
  test.nop:
    - require: [{test: bad}]
side:
  test.nop:
    - parallel: True
    - require: [{test: quiet}]
"""


def test_each_state_names_what_decided(salt_g):
    salt_g.write({"e.sls": TREE})

    outcome = salt_g("state.apply", "e", "--explain")
    found = {entry["__id__"]: entry["explanation"] for entry in outcome.value.values()}

    assert found["follow"]["verdict"] == "skip: no onchanges target changed"
    assert found["follow"]["because"] == ["onchanges test quiet: no changes"]
    assert found["needs"]["because"] == ["require test bad: failed"]
    assert found["side"] == {
        "verdict": "run",
        "because": [],
        "requisites": ["require test quiet: no changes"],
    }
    assert found["quiet"]["verdict"] == "run: it depends on nothing"


def test_without_the_option_returns_are_those_of_stock(salt_g):
    salt_g.write({"e.sls": TREE})

    assert all("explanation" not in entry for entry in salt_g("state.apply", "e").value.values())


def test_a_function_without_states_is_refused(salt_g):
    outcome = salt_g("test.ping", "--explain")

    assert outcome.code == 64
    assert "--explain needs a function of `state`, such as state.apply, not test.ping" in outcome.err
