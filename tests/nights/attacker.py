"""Hostile peer of a master's two ports, until a line arrives on stdin; prints the number of its actions."""

import pathlib
import random
import select
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2]))

from tests.support.raw_zmtp import storm_once


def attack(ports, seed):
    """Perform hostile actions, reproducible by seed; return their number."""
    draw, kept, steps = random.Random(seed), [], 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        try:
            storm_once(draw, ports, kept)
        except OSError:
            # No listener at the moment, or the master is gone, which the night detects itself.
            kept.clear()
        steps += 1
    return steps


if __name__ == "__main__":
    print(attack(tuple(map(int, sys.argv[1:3])), int(sys.argv[3])))
