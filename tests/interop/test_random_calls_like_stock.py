"""Random calls of `salt.utils`, and random words of a command line: the same values as in stock Salt.

`SALT_G_CALLS` is the number of each, `SALT_G_TREE_SEED` the first seed. Each side runs all of them in a
process of its own.
"""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

from tests.support.random_calls import random_call, random_word

SEED = os.environ.get("SALT_G_TREE_SEED") or 1
COUNT = int(os.environ.get("SALT_G_CALLS") or 1000)
PROGRAM = Path(__file__).with_name("random_trees") / "served_functions.py"


def answers(stock_bin, cases):
    """Return (stock's answers, ours)."""
    programs = [[str(stock_bin / "python3"), str(PROGRAM)], [sys.executable, str(PROGRAM), "--ours"]]
    processes = [
        subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for words in programs
    ]
    for process in processes:
        process.stdin.write(repr(cases))
        process.stdin.close()
        # Closed already: `communicate` must not flush it.
        process.stdin = None
    ends = [process.communicate(timeout=600) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], [errors for _, errors in ends]
    return [json.loads(text) for text, _ in ends]


def test_random_calls_of_served_functions_return_what_stocks_do(stock_bin):
    dice = random.Random(f"calls {SEED}")
    cases = [random_call(dice) for _ in range(COUNT)]

    stock, ours = answers(stock_bin, cases)

    different = [found for found in zip(cases, stock, ours, strict=True) if found[1] != found[2]]
    assert different == []


def test_random_words_of_a_command_line_are_read_as_stock_reads_them(stock_bin):
    dice = random.Random(f"words {SEED}")
    words = [random_word(dice) for _ in range(COUNT)]
    cases = [("args", "parse_input", [[word]], {"condition": False}) for word in words]

    stock, ours = answers(stock_bin, cases)

    different = [
        found
        for found in zip(words, stock, ours, strict=True)
        # docs/differences.md: values of several lines, and what YAML reads as an empty text.
        if found[1] != found[2] and "\n" not in found[0] and ["str", "''"] not in nested(found[1])
    ]
    assert different == []


def nested(shown):
    """Yield each list in nested ones."""
    if isinstance(shown, list):
        yield shown
        for one in shown:
            yield from nested(one)


def test_random_words_are_of_many_kinds():
    dice = random.Random(1)

    words = [random_word(dice) for _ in range(500)]

    assert len(set(words)) > 300
    assert any(re.match(r"\w+=", word) for word in words)
