"""Saltcheck on a tree: tests of a state, exit codes, states without tests."""

import pytest

TEST = """
{name}:
  module_and_function: test.echo
  args: [{value}]
  assertion: assertEqual
  expected_return: '{{{{ "a" }}}}'
"""
EMPTY = "{}: test.nop\n"


@pytest.fixture
def tree(salt_g):
    """Return a tree with tests beside its states."""
    salt_g.write(
        {
            "top.sls": "base:\n  '*': [web, bare]\n",
            "web/init.sls": "include: [web.sub]\nweb: test.nop\n",
            "web/sub.sls": EMPTY.format("sub"),
            "bare.sls": EMPTY.format("bare"),
            "web/saltcheck-tests/init.tst": TEST.format(name="of_web", value="a"),
            "web/saltcheck-tests/sub.tst": TEST.format(name="of_sub", value="b"),
            "web/saltcheck-tests/extra.tst": TEST.format(name="extra", value="a"),
            "broken/init.sls": EMPTY.format("broken"),
            "broken/saltcheck-tests/init.tst": "{{ oh",
            "other/tests/init.tst": TEST.format(name="elsewhere", value="a"),
        }
    )
    return salt_g


def names(run):
    """Return {SLS: names of its tests} of a run."""
    return {sls: sorted(tests) for entry in run.value[:-1] for sls, tests in entry.items()}


def test_tests_of_included_states_are_run_and_a_failure_is_the_exit_code(tree):
    run = tree("saltcheck.run_state_tests", "web")

    assert names(run) == {"web": ["of_sub", "of_web"]}
    assert run.value[0]["web"]["of_sub"]["status"] == "Fail: a is not equal to b"
    assert run.code == 1
    assert tree("saltcheck.run_state_tests", "bare").code == 0


def test_each_of_several_states_is_tested_and_all_files_if_asked(tree):
    assert names(tree("saltcheck.run_state_tests", "web.sub,bare")) == {"web.sub": ["of_sub"], "bare": []}
    every = tree("saltcheck.run_state_tests", "web", "check_all=True")
    assert names(every) == {"web": ["extra", "of_sub", "of_web"]}


def test_the_highstate_is_tested_and_reported(tree):
    run = tree("saltcheck.run_highstate_tests")
    report = tree("saltcheck.report_highstate_tests")

    assert names(run) == {"web": ["of_sub", "of_web"], "bare": []}
    assert run.value[-1]["TEST RESULTS"]["Missing Tests"] == 1
    assert report.value["TEST REPORT RESULTS"] == {
        "Missing Tests": 1,
        "States missing tests": ["bare"],
        "States with tests": ["web", "web.sub"],
    }
    assert report.code == 1


def test_a_file_that_cannot_be_rendered_is_a_failed_test(tree):
    run = tree("saltcheck.run_state_tests", "broken")

    status = run.value[0]["broken"]["broken/saltcheck-tests/init.tst"]["status"]
    assert status.startswith("Fail: Jinja syntax error")
    assert run.code == 1


def test_the_folder_of_tests_is_a_setting(tree):
    run = tree("saltcheck.run_state_tests", "other", saltcheck_test_location="tests")

    assert names(run) == {"other": ["elsewhere"]}
