"""Functions of `saltcheck`: run one test, the tests of SLS files, or those of the highstate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import salt_g.modules.saltcheck.files as files
import salt_g.modules.saltcheck.report as report
import salt_g.modules.saltcheck.tests as tests
from salt_g.api import call, scratch
from salt_g.errors import SaltGError


def run_test(**kwargs: Any) -> Any:
    """Run one test and return its result {status, duration}.

    test
        The test as a mapping, as in a file of tests.

    Example::

        salt-g saltcheck.run_test test='{module_and_function: test.ping, assertion: assertTrue}'
    """
    return tests.run(kwargs.get("test"))


def state_apply(state_name: Any, **kwargs: Any) -> Any:
    """Run `state.apply`, as setup or teardown of tests.

    Example::

        salt-g saltcheck.state_apply web
    """
    return call("state.apply", state_name, **kwargs)


def run_state_tests(
    state: Any,
    saltenv: str | None = None,
    check_all: bool = False,
    only_fails: bool = False,
    junit: bool = False,
) -> Any:
    """Run the tests of SLS files and of the SLS files that they include; exit code 1 if one fails.

    Returns [{SLS: {test: {"status", "duration"}}}, ..., {"TEST RESULTS": counts}].

    state
        Names of SLS files, several with commas or as a list.
    check_all
        Run all tests in the folders of the SLS files.
    only_fails
        Return failed tests only.
    junit
        Return JUnit XML instead.

    Example::

        salt-g saltcheck.run_state_tests web,web.config
    """
    names = state.split(",") if isinstance(state, str) else list(state)
    return _run(map(str, names), saltenv, check_all=check_all, only_fails=only_fails, junit=junit)


def run_state_tests_ssh(
    state: Any,
    saltenv: str | None = None,
    check_all: bool = False,
    only_fails: bool = False,
    junit: bool = False,
) -> Any:
    """Run the tests of SLS files, as `saltcheck.run_state_tests` does.

    Example::

        salt-g saltcheck.run_state_tests_ssh web
    """
    return run_state_tests(state, saltenv, check_all, only_fails, junit)


def run_highstate_tests(saltenv: str | None = None, only_fails: bool = False, junit: bool = False) -> Any:
    """Run the tests of all SLS files that the top file assigns to this minion.

    The arguments are those of `saltcheck.run_state_tests`.

    Example::

        salt-g saltcheck.run_highstate_tests
    """
    return _run(_of_top(saltenv), saltenv, check_all=False, only_fails=only_fails, junit=junit)


def report_highstate_tests(saltenv: str | None = None) -> dict[str, Any]:
    """Return the SLS files of the highstate with and without tests; exit code: the number without tests.

    Example::

        salt-g saltcheck.report_highstate_tests
    """
    env = files.saltenv_of(saltenv)
    known = files.known_files(env)
    names = list(dict.fromkeys(sls for top in _of_top(saltenv) for sls in files.names_of(top, env)))
    tested = [sls for sls in names if files.of_sls(sls, known)]
    missing = [sls for sls in names if sls not in tested]
    scratch["retcode"] = len(missing)
    summary = {"Missing Tests": len(missing), "States missing tests": missing, "States with tests": tested}
    return {"TEST REPORT RESULTS": summary}


def _of_top(saltenv: str | None) -> list[str]:
    """Return the SLS files that the top file assigns in an environment."""
    env = files.saltenv_of(saltenv)
    shown = call("state.show_top", saltenv=env)
    return [str(sls) for sls in shown.get(env, ())] if isinstance(shown, dict) else []


def _run(names: Iterable[str], saltenv: str | None, *, check_all: bool, only_fails: bool, junit: bool) -> Any:
    env = files.saltenv_of(saltenv)
    known = files.known_files(env)
    results = {sls.strip(): _results(sls.strip(), env, known, check_all=check_all) for sls in names}
    scratch["retcode"] = 1 if report.count(results).failed else 0
    return report.junit(results) if junit else report.listed(results, only_fails=only_fails)


def _results(sls: str, saltenv: str, known: list[str], *, check_all: bool) -> dict[str, Any]:
    """Return the results of all tests of an SLS; a file that cannot be read is a failed test."""
    paths = [path for name in files.names_of(sls, saltenv) for path in files.of_sls(name, known)]
    if check_all:
        paths += files.beside(sls, known)
    results: dict[str, Any] = {}
    for path in dict.fromkeys(paths):
        try:
            found = files.read(path, saltenv)
        except SaltGError as exc:
            results[path] = {"status": f"Fail: {exc}", "duration": 0.0}
            continue
        for name, test in found.items():
            results[name] = tests.run(test) if isinstance(test, dict) else _not_a_test()
    return results


def _not_a_test() -> dict[str, Any]:
    return {"status": tests.INVALID, "duration": 0.0}
