"""Long tests: `python tests/nights NIGHT`; or `tox -e nights -- NIGHT`.

Each prints its progress and then its measurements, and exits with 1 if a measurement misses its target.
"""

import argparse
import os
import pathlib
import signal
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parents[2]))

import api
import cluster
import hostile
import kills
import plans
import readers
import soak
import trees


def build_parser():
    """Return the argument parser."""
    parser = argparse.ArgumentParser(prog="nights", description=__doc__.splitlines()[0])
    nights = parser.add_subparsers(dest="night", required=True)
    one = nights.add_parser("soak", help=soak.__doc__.splitlines()[0])
    one.add_argument("--minutes", type=float, default=30)
    one.add_argument("--minions", type=int, default=1000)
    one.add_argument("--rate", type=float, default=50, help="jobs a second")
    one.add_argument("--stop", type=float, help="seconds that a subscriber stands still, a sixth of the time")
    one.set_defaults(run=run_soak)
    one = nights.add_parser("kills", help=kills.__doc__.splitlines()[0])
    one.add_argument("--kills", type=int, default=200)
    one.add_argument("--minions", type=int, default=3)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--minutes", type=float, default=30, help="the longest time")
    one.set_defaults(run=run_kills)
    one = nights.add_parser("readers", help=readers.__doc__.splitlines()[0])
    one.add_argument("--stop", type=float, default=300, help="seconds that the readers stand still")
    one.add_argument("--minions", type=int, default=50)
    one.set_defaults(run=run_readers)
    one = nights.add_parser("hostile", help=hostile.__doc__.splitlines()[0])
    one.add_argument("--seconds", type=float, default=60)
    one.add_argument("--minions", type=int, default=200)
    one.add_argument("--rate", type=float, default=5, help="jobs a second")
    one.set_defaults(run=run_hostile)
    one = nights.add_parser("cluster", help=cluster.__doc__.splitlines()[0])
    one.add_argument("--kills", type=int, default=200)
    one.add_argument("--masters", type=int, default=3)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--minutes", type=float, default=60, help="the longest time")
    one.add_argument("--pace", type=float, default=1.0, help="times that pauses of the work are longer")
    one.add_argument("--logs", default="", metavar="DIR", help="keep the logs of all daemons there")
    one.set_defaults(run=run_cluster)
    one = nights.add_parser("api", help=api.__doc__.splitlines()[0])
    one.add_argument("--seconds", type=float, default=1800, help="the longest time")
    one.add_argument("--requests", type=int, default=0, help="end after so many, and after the logins")
    one.add_argument("--logins", type=int, default=0, help="refused logins to end after, with the requests")
    one.set_defaults(run=run_api)
    one = nights.add_parser("plans", help=plans.__doc__.splitlines()[0])
    one.add_argument("--rounds", type=int, default=500)
    one.add_argument("--served", type=int, default=50, help="further rounds, through a master")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--minutes", type=float, default=60, help="the longest time")
    one.set_defaults(run=run_plans)
    one = nights.add_parser("trees", help=trees.__doc__.splitlines()[0])
    one.add_argument("--kind", action="append", choices=list(trees.KINDS), help="one of the kinds, not all")
    one.add_argument("--trees", type=int, default=10_000, help="trees of each kind")
    one.add_argument("--seed", type=int, default=1_000_000)
    one.add_argument("--minutes", type=float, default=120, help="the longest time")
    one.set_defaults(run=run_trees)
    for night in nights.choices.values():
        night.add_argument("--json", metavar="FILE", help="write the figures there as well")
    return parser


def run_soak(options, say):
    """Run the soak night."""
    seconds = options.minutes * 60
    stop = seconds / 6 if options.stop is None else options.stop
    return soak.run(soak.Plan(seconds=seconds, minions=options.minions, rate=options.rate, stop=stop), say)


def run_kills(options, say):
    """Run the kills night."""
    plan = kills.Plan(options.kills, options.minions, options.seed, options.minutes * 60)
    return kills.run(plan, say)


def run_readers(options, say):
    """Run the slow readers night."""
    return readers.run(readers.Plan(stop=options.stop, minions=options.minions), say)


def run_hostile(options, say):
    """Run the hostile peers night."""
    return hostile.run(hostile.Plan(options.seconds, options.minions, options.rate), say)


def run_cluster(options, say):
    """Run the night of a cluster."""
    plan = cluster.Plan(
        kills=options.kills,
        masters=options.masters,
        seed=options.seed,
        seconds=options.minutes * 60,
        pace=options.pace,
        logs=options.logs,
    )
    return cluster.run(plan, say)


def run_api(options, say):
    """Run the night of an HTTP API."""
    return api.run(api.Plan(options.seconds, options.requests, options.logins), say)


def run_plans(options, say):
    """Run the night of plans."""
    return plans.run(plans.Plan(options.rounds, options.served, options.seed, options.minutes * 60), say)


def run_trees(options, say):
    """Run the night of random trees; SALT_G_STOCK_BIN is the directory of stock's programs."""
    stock_bin = pathlib.Path(os.environ.get("SALT_G_STOCK_BIN", ""))
    if not os.access(stock_bin / "salt-call", os.X_OK):
        sys.exit(
            "nights: stock Salt is not here: set SALT_G_STOCK_BIN to the directory that holds its salt-call"
        )
    kinds = tuple(options.kind or trees.KINDS)
    return trees.run(trees.Plan(stock_bin, kinds, options.trees, options.seed, options.minutes * 60), say)


def say(text):
    """Print a timestamped progress line."""
    print(time.strftime("%H:%M:%S"), text, flush=True)


def interrupt(*_):
    """Raise KeyboardInterrupt, so that everything started is stopped."""
    raise KeyboardInterrupt


def main():
    """Run one night; return the exit code."""
    options = build_parser().parse_args()
    signal.signal(signal.SIGTERM, interrupt)
    try:
        report = options.run(options, say)
    except KeyboardInterrupt:
        say("interrupted; everything that was started has ended")
        return 130
    print(report.table(), flush=True)
    if options.json:
        report.write(options.json)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
