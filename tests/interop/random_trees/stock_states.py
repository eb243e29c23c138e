"""State runs of stock in one long process: a line of JSON in, a line of JSON out. Runs in stock's Python.

    stock_states.py CONFIG_FILE

A request is {"sls": name, "test": bool, "settings": {...}}; the answer what stock returns, or
{"exception": text} if it raised one. Each run has a process of its own, forked from one that has loaded all.
"""

import gc
import json
import logging
import os
import signal
import sys

import salt.config
import salt.loader
import salt.state

#: Seconds that a run may take.
LIMIT = 60


def prepared(path, is_test):
    """Return stock's state machine, loaded."""
    opts = salt.config.minion_config(path)
    opts["grains"] = salt.loader.grains(opts)
    opts["test"] = is_test
    machine = salt.state.HighState(opts, initial_pillar={})
    # Whatever a run looks for and does not find makes stock load all plugins: once here, not in each run.
    for table in (machine.state.states, machine.state.functions):
        list(table)
    return machine


def run(machine, request):
    """Run an SLS in this process; return the result of `state.apply`."""
    for opts in (machine.opts, machine.state.opts):
        opts.update(request["settings"])
    machine.push_active()
    high, errors = machine.render_highstate({"base": [request["sls"]]})
    return errors or machine.state.call_high(high)


def answer_in_child(machine, request, pipe, run_one):
    """Run a request in a forked process, write the response and exit."""
    signal.alarm(LIMIT)
    try:
        answer = run_one(machine, request)
    except BaseException as exc:
        answer = {"exception": f"{type(exc).__name__}: {exc}"}
    with os.fdopen(pipe, "w") as out:
        json.dump(answer, out, default=str)
    os._exit(0)


def answer(machine, request, run_one):
    """Return the answer of a forked process as text."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        answer_in_child(machine, request, writing, run_one)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    return text or json.dumps({"exception": "died"})


def own_output():
    """Return a file for responses; all other output goes to standard error."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return replies


def settle():
    """Disable what takes half of a run's time: unread logs, and garbage collection."""
    logging.disable()
    gc.disable()
    gc.freeze()


def serve(path, run_one=run):
    """Answer requests until standard input ends; `run_one(machine, request)` returns an answer."""
    replies = own_output()
    machines = {is_test: prepared(path, is_test) for is_test in (False, True)}
    settle()
    for line in sys.stdin:
        request = json.loads(line)
        print(answer(machines[request["test"]], request, run_one), file=replies, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
