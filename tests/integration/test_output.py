"""Output of the command: outputters, colours, files, and the log beside them."""

import json

import pytest

SLS = """
fine:
  test.nop
changed:
  test.succeed_with_changes
broken:
  test.fail_without_changes
"""


def test_results_are_nested_unless_asked_otherwise(salt_g):
    outcome = salt_g("test.arg", "a", as_json=False)

    assert outcome.out.startswith("local:\n    ----------\n    args:\n        - a\n")


@pytest.mark.parametrize(
    ("outputter", "expected"),
    [
        ("json", '{\n    "local": true\n}\n'),
        ("yaml", "local: true\n"),
        ("raw", "{'local': True}\n"),
        ("txt", "local: True\n"),
        ("newline_values_only", "local:\n    True\n"),
        ("quiet", ""),
        ("progress", ""),
        ("highstate", "local:\n    True\n"),
    ],
)
def test_an_outputter_can_be_named(salt_g, outputter, expected):
    outcome = salt_g("test.ping", f"--out={outputter}", as_json=False)

    assert outcome.out == expected


def test_colour_is_for_terminals_and_for_force_color(salt_g):
    assert "\033" not in salt_g("test.ping", as_json=False).out
    assert salt_g("test.ping", "--force-color", as_json=False).out.startswith("\033[0;36mlocal\033[0;0m:")


def test_results_can_go_to_a_file(salt_g):
    path = salt_g.root / "result"

    outcome = salt_g("test.ping", f"--out-file={path}")

    assert outcome.out == ""
    assert json.loads(path.read_text()) == {"local": True}


def test_a_users_outputter_is_found(salt_g):
    salt_g.write(
        {"shout.py": "def output(data, **kwargs):\n    return __opts__['id'].upper()\n"}, below=salt_g.out
    )

    outcome = salt_g("test.ping", "--out=shout", as_json=False, outputter_dirs=[str(salt_g.out)])

    assert outcome.out == "M1\n"


def test_a_run_is_shown_as_a_run(salt_g):
    salt_g.write({"a.sls": SLS})

    outcome = salt_g("state.apply", "a", "--state-output=terse", as_json=False, state_output_profile=False)

    assert outcome.out == (
        "local:\n"
        "  Name: fine - Function: test.nop - Result: Clean\n"
        "  Name: changed - Function: test.succeed_with_changes - Result: Changed\n"
        "  Name: broken - Function: test.fail_without_changes - Result: Failed\n"
        "\n"
        "Summary for local\n"
        "------------\n"
        "Succeeded: 2 (changed=1)\n"
        "Failed:    1\n"
        "------------\n"
        "Total states run:     3\n"
    )


def test_an_unknown_outputter_is_reported_on_standard_error(salt_g):
    outcome = salt_g("test.ping", "--out=nosuch", as_json=False)

    assert outcome.out == "local:\n    True\n"
    assert outcome.err == "[ERROR   ] Invalid outputter nosuch specified, fall back to nested\n"


def test_a_quiet_console_prints_nothing(salt_g):
    outcome = salt_g("test.ping", "--out=nosuch", "--log-level=quiet", as_json=False)

    assert outcome.err == ""


def test_a_config_that_cannot_be_used_names_every_place(salt_g):
    outcome = salt_g("test.ping", failhard="yes please", loop_interval=[1])

    assert outcome.code == 64
    assert f"{salt_g.conf}/minion:4: failhard must be true or false, not 'yes please'" in outcome.err
    assert "loop_interval must be a number (s), not [1]" in outcome.err


def test_the_settings_in_effect_can_be_shown(salt_g):
    salt_g("test.ping")

    outcome = salt_g.run("config", "-c", salt_g.conf, "id", "hash_type")

    assert outcome.out.splitlines()[0].startswith('id: "m1"  # ')
    assert outcome.out.splitlines()[1] == 'hash_type: "sha256"  # default'
