"""A hostile peer of a master's two ports, until there is a line on stdin; prints how many things it did."""

import pathlib
import random
import select
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))

from support.raw_zmtp import storm_once


def attack(ports, seed):
    """Do hostile things, the same for the same seed; return how many."""
    draw, kept, steps = random.Random(seed), [], 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        try:
            storm_once(draw, ports, kept)
        except OSError:
            # Nobody accepts for the moment, or the master is gone, which the night notices by itself.
            kept.clear()
        steps += 1
    return steps


if __name__ == "__main__":
    print(attack(tuple(map(int, sys.argv[1:3])), int(sys.argv[3])))
