"""Generator of `docs/compatibility.md` from the results of the mixed-fleet tests.

SALT_G_COMPATIBILITY=/tmp/found.jsonl tox -e interop,interop-3006,interop-3007 -- tests/interop/fleet
python tests/interop/fleet/compatibility.py /tmp/found.jsonl > docs/compatibility.md
"""

import json
import sys

FLEETS = {
    "stock-minion": "stock's minion, our master and tools",
    "our-minion": "our minion, stock's master and tools",
    "stock-tools": "stock's tools, our master and minion",
    "our-tools": "our tools, stock's master and minion",
}
MARKS = {"skipped": "–", "passed": "yes", "failed": "no"}
HEAD = """# Compatibility with stock Salt

Generated from the results of `tests/interop/fleet` by its `compatibility.py`; do not edit.
One part of each fleet is stock Salt: the minion, the master, or the tools (`salt`, `salt-key`,
`salt-run`, `salt-cp`, the Python client). "yes" means that the test passed, "–" that it does
not apply.
"""


def main(path):
    """Print the page."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in map(json.loads, file):
            place = (line["test"], line["fleet"], line["series"])
            # A test with several parameters counts as its worst.
            worst = max(found.get(place, "skipped"), line["outcome"], key=list(MARKS).index)
            found[place] = worst
    print(HEAD, end="")
    series = sorted({place[2] for place in found})
    for fleet, title in FLEETS.items():
        print(f"\n## {title[0].upper()}{title[1:]}\n")
        print(f"| what | {' | '.join(series)} |\n|---|{'---|' * len(series)}")
        for test in dict.fromkeys(place[0] for place in found):
            marks = [MARKS[found.get((test, fleet, one), "skipped")] for one in series]
            if set(marks) != {MARKS["skipped"]}:
                print(f"| {test.removeprefix('test_').replace('_', ' ')} | {' | '.join(marks)} |")


if __name__ == "__main__":
    main(sys.argv[1])
