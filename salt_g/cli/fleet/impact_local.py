"""`salt-g impact --local`: list the masterless state runs of this machine that read certain data."""

from __future__ import annotations

import argparse
import time
from typing import Any

from salt_g import config
from salt_g.cli import client_settings, exit_codes
from salt_g.cli.options import OUTPUT_SETTINGS, chooses_output, given
from salt_g.errors import CommandExecutionError
from salt_g.report import state_calls
from salt_g.report.recording import local_reads
from salt_g.report.recording.read_sets import Question, question


def run(options: argparse.Namespace) -> int:
    """Print the state runs from this machine's own records; return the exit code."""
    client_settings.check_directory(options.config_dir)
    opts = config.load("minion", options.config_dir, {}, asks_for_id=False).opts
    questions = [question(name) for name in options.names]
    runs = local_reads.kept(str(opts["cachedir"]))
    if not runs:
        raise CommandExecutionError(
            "this machine has no record of state runs without a master; set impact: True for the minion, then"
            " run salt-g call --local state.apply"
        )
    found = [one for one in (_answer(run, questions) for run in runs) if one["sls"]]
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        return printing.present(found, None, output)
    print(f"{len(found):,} of {len(runs):,} calls read it in their last run")
    for one in found:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one["at"]))
        print(f"  {one['call']} at {when}, in {', '.join(sls or 'top file' for sls in one['sls'])}")
    return exit_codes.OK


def _answer(run: dict[str, Any], questions: list[Question]) -> dict[str, Any]:
    sls = {
        owner: sorted(name for name in names if any(one.covers(name) for one in questions))
        for owner, names in run["names"].items()
    }
    return {
        "call": state_calls.shown(run["call"]),
        "at": run["at"],
        "sls": {owner: names for owner, names in sls.items() if names},
    }
