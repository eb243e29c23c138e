"""`salt.parallel_runners`: run several runner functions on the master at the same time."""

from __future__ import annotations

import contextvars
import threading
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import SaltGError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome, would_change
from salt_g.states.saltmod.runner_wheel import orchestrated


def parallel_runners(name: str, runners: Any, **kwargs: Any) -> StateReturn:
    """Run the runner functions in `runners` in parallel and wait for all of them.

    `runners` is {label: [{name: function}, {kwarg: {argument: value}}]}, or the name of one function;
    without `name`, the label is the name of the function.

    Example::

        both:
          salt.parallel_runners:
            - runners:
                first:
                  - name: state.orchestrate
                  - kwarg: {mods: deploy.first}
                second:
                  - name: state.orchestrate
                  - kwarg: {mods: deploy.second}
    """
    if isinstance(runners, str):
        runners = {runners: None}
    if not isinstance(runners, dict):
        return failed(name, "The runners parameter must be a string or dict.")
    wanted = {label: _settings(label, given) for label, given in runners.items()}
    if opts.get("test"):
        return would_change(name, f"Runner functions would be executed: {', '.join(wanted)}.")
    try:
        results = _run(wanted)
    except SaltGError as exc:
        return failed(name, f"One of the runners raised an exception: {exc}", success=False)
    returns = {label: one["return"] for label, one in results.items()}
    bad = [label for label, one in results.items() if not _is_good(one)]
    changes: dict[str, Any] = {"ret": returns}
    if all(_is_highstate(value) for value in returns.values()):
        found = {label: _changes_in(value["data"]) for label, value in returns.items()}
        changes = {label: value for label, value in found.items() if value}
    return outcome(name, not bad, _comment(bad), changes)


def _settings(label: str, given: Any) -> dict[str, Any]:
    """Return {name, kwarg} of one entry, written in SLS files as a list of single-item mappings."""
    items = given if isinstance(given, list) else [given] if isinstance(given, dict) else []
    merged: dict[str, Any] = {"name": label}
    for item in items:
        merged.update(item)
    return merged


def _run(wanted: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return {label: outcome}; raises the first error of any function that could not be called."""
    found: dict[str, dict[str, Any]] = {}
    errors: dict[str, Exception] = {}

    def work(label: str, settings: dict[str, Any]) -> None:
        try:
            arguments = settings.get("kwarg") or {}
            found[label] = call(
                "saltutil.runner", settings["name"], full_return=True, **orchestrated(), **arguments
            )
        # A thread's exception is raised again in the greenlet that waits for it.
        except Exception as exc:
            errors[label] = exc

    threads = [
        threading.Thread(target=contextvars.copy_context().run, args=(work, label, settings), name=label)
        for label, settings in wanted.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for label in wanted:
        if label in errors:
            raise errors[label]
    return {label: found[label] for label in wanted}


def _is_good(result: dict[str, Any]) -> bool:
    value = result["return"]
    exit_code = value.get("exit_code", 0) if isinstance(value, dict) else 0
    return bool(result.get("success", True)) and exit_code == 0


def _is_highstate(value: Any) -> bool:
    return isinstance(value, dict) and value.get("outputter") == "highstate" and "data" in value


def _comment(bad: list[str]) -> str:
    if not bad:
        return "All runner functions executed successfully."
    return f"Runner {bad[0]} failed." if len(bad) == 1 else f"Runners {', '.join(bad)} failed."


def _changes_in(data: Any) -> Any:
    """Return the changes in returned states, with their nesting."""
    if not isinstance(data, dict):
        return {}
    if "changes" not in data:
        found = {key: _changes_in(value) for key, value in data.items()}
        return {key: value for key, value in found.items() if value}
    changes = data["changes"]
    if isinstance(changes, dict) and changes.get("out") == "highstate" and "ret" in changes:
        return changes["ret"]
    return changes
