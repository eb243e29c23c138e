"""`salt-g call state.apply … test=True --save FILE`: save a test run as a plan."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from salt_g.cli.call.invocation import Returned
from salt_g.cli.stdio import notices
from salt_g.errors import CommandExecutionError
from salt_g.loader.arguments import parse_words
from salt_g.loader.test_runs import is_test_run
from salt_g.report.plan_text import counts_of, line_of
from salt_g.state.plan.plan_calls import write_file

if TYPE_CHECKING:
    from salt_g.api import CallContext

#: Functions that can make a plan.
FUNCTIONS = ("state.apply", "state.highstate", "state.sls", "state.sls_id", "state.top")
#: Argument that makes a state run return a plan, see `modules/state/_running.py`.
_WORD = "__plan=file"


def planning(parser: argparse.ArgumentParser, options: argparse.Namespace, words: list[str]) -> list[str]:
    """Return the words of the call with the argument that requests a plan; exit if no plan can be made."""
    problem = problem_of(words)
    if options.resources:
        problem = "--save cannot be combined with --resources: only a master can keep plans for resources"
    if problem:
        parser.error(problem)
    return [*words, _WORD]


def problem_of(words: list[str]) -> str:
    """Return why a call cannot be saved as a plan, '' if it can."""
    if not words or words[0] not in FUNCTIONS:
        return f"--save is for test runs of {', '.join(FUNCTIONS)}"
    if not is_test_run(words[0], parse_words(words[1:])[1]):
        return f"--save needs test=True: {words[0]} … test=True --save NAME"
    return ""


def save(context: CallContext, path: str, words: list[str], result: Returned) -> None:
    """Write the plan of a test run and print its summary; raise CommandExecutionError if there is no plan."""
    document = result.plan
    if document is None:
        raise CommandExecutionError(f"{path}: no plan was made, because no states ran")
    args, kwargs = parse_words([word for word in words[1:] if word != _WORD])
    write_file(context, path, {"fun": words[0], "args": args, "kwargs": kwargs}, document)
    print(line_of(path, counts_of([document]), document["until"]), file=notices(context.opts))
