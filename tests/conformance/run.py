#!/usr/bin/env python3
"""Command-line program that runs the conformance cases below a folder with a salt-call compatible command.

    run.py --cmd "salt-g call" CASES [-k PATTERN] [-j N] [--json REPORT] [--regen]

A case is a directory with `case.yaml`, `expected.json` and usually `states/` and `pillar/`; both are
copied into a private temporary tree, where every step is run as

    CMD -c CONFDIR --local --out=json [--id ID] [options] FUN ARGS...

README.md beside this file describes the keys of `case.yaml`. Only the standard library and PyYAML are used.
"""

import argparse
import concurrent.futures
import difflib
import fnmatch
import json
import os
import shlex
import sys
import time

from case import Case

#: Characters of one line of a printed difference.
LINE_WIDTH = 200

#: What can become of a case; the first two counts are printed even when they are 0.
STATUSES = ("passed", "failed", "skipped", "recorded")


def main():
    """Run the requested cases; the exit code is 1 if one failed."""
    arguments = _arguments()
    found = _matching(_cases_below(os.path.abspath(arguments.cases)), arguments.pattern)
    if arguments.list:
        for case in found:
            print(f"{case.key:<45} {case.spec.get('pins', '')}")
        return 0
    report = _run_all(found, arguments)
    counts = {status: sum(entry["status"] == status for entry in report) for status in STATUSES}
    if arguments.json_out:
        shown = [entry for entry in report if entry["status"] != "recorded"]
        with open(arguments.json_out, "w", encoding="utf-8") as file:
            file.write(json.dumps({**counts, "cases": shown}, indent=1) + "\n")
    print(
        ", ".join(f"{count} {status}" for status, count in counts.items() if count or status in STATUSES[:2])
    )
    return 1 if counts["failed"] else 0


def _arguments():
    parser = argparse.ArgumentParser(description="run conformance cases with a salt-call compatible command")
    parser.add_argument("cases", help="folder with cases, at any depth")
    parser.add_argument("--cmd", default="salt-call", help="salt-call compatible command line")
    parser.add_argument(
        "-k", dest="pattern", help="only cases whose path contains this, or matches this glob"
    )
    parser.add_argument("-j", dest="jobs", type=int, default=1, help="cases run at the same time")
    parser.add_argument("--json", dest="json_out", help="write a machine readable report")
    parser.add_argument("--regen", action="store_true", help="write expected.json from this command")
    parser.add_argument("--keep", action="store_true", help="keep the temporary trees")
    parser.add_argument("--lines", type=int, default=12, help="lines of difference shown for a failed case")
    parser.add_argument("--list", action="store_true", help="print the cases and what each one pins")
    return parser.parse_args()


def _cases_below(root):
    found = []
    for base, directories, names in os.walk(root):
        if "case.yaml" in names:
            directories.clear()
            found.append(Case(base, root))
    return sorted(found, key=lambda case: case.key)


def _matching(found, pattern):
    if not pattern:
        return found
    return [
        case
        for case in found
        if pattern in case.key or fnmatch.fnmatch(case.key, pattern) or pattern == case.spec.get("area")
    ]


def _run_all(found, arguments):
    """Return one entry of the report for each case, those that cannot run here first."""
    reasons = {case.key: case.missing() for case in found}
    report = [{"case": key, "status": "skipped", "why": why} for key, why in reasons.items() if why]
    command = shlex.split(arguments.cmd)
    ready = [case for case in found if not reasons[case.key]]
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for case, got, seconds in pool.map(lambda case: _timed(case, command, arguments.keep), ready):
            entry = _record(case, got) if arguments.regen else _compare(case, got)
            report.append({"case": case.key, "seconds": round(seconds, 3), **entry})
            if entry["status"] == "failed":
                _print_failure(case, entry["diff"], arguments.lines)
    return report


def _timed(case, command, keep):
    began = time.monotonic()
    try:
        got = case.run(command, keep)
    except Exception as exc:  # a broken case must not stop the others
        got = {"runner error": f"{type(exc).__name__}: {exc}"}
    return case, got, time.monotonic() - began


def _record(case, got):
    if "runner error" in got:
        return _compare(case, got)
    with open(case.expected_path, "w", encoding="utf-8") as file:
        file.write(json.dumps(got, indent=1, ensure_ascii=False) + "\n")
    return {"status": "recorded"}


def _compare(case, got):
    """Compare as text; the order of mapping keys matters only for an `ordered` case."""
    ordered = bool(case.spec.get("ordered"))
    have, want = (
        json.dumps(result, indent=1, sort_keys=not ordered, ensure_ascii=False)
        for result in (got, case.expected())
    )
    if have == want:
        return {"status": "passed"}
    lines = difflib.unified_diff(want.splitlines(), have.splitlines(), "expected", "got", lineterm="", n=1)
    return {"status": "failed", "diff": list(lines), "got": got}


def _print_failure(case, diff, shown):
    print(f"FAIL {case.key}: {case.spec.get('pins', '')}")
    for line in diff[2 : 2 + shown]:
        print("    " + line[:LINE_WIDTH].rstrip("\n"))
    if (hidden := len(diff) - 2 - shown) > 0:
        print(f"    ... {hidden} more lines of difference")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
