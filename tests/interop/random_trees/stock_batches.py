"""Many state runs of stock in one process, on trees that never touch a disk. Runs in stock's Python.

    stock_batches.py CONFIG_FILE

A request is a line of JSON, a list of {"files": {SLS: data}, "test": bool, "settings": {...}, "sets": order};
the answer is a line with the list of what stock returns, {"exception": text} for what raised one. A batch has
a forked process; before each run in it, whatever a run changes is set back to what it was after loading.
"""

import collections.abc
import copy
import json
import os
import signal
import sys
import time
import zlib

import salt.state
import salt.utils.requisite
import stock_states

#: What a run may leave in an object of stock's.
PLAIN = (dict, list, set, int, str, type(None), salt.state.DependencyGraph)
#: Exit codes of the commands in conditions of random trees; starting them would take most of the time.
COMMANDS = {"true": 0, "false": 1}
#: Settings that trees have, and those that a run may change.
SETTINGS = ("failhard", "state_aggregate", "test")
#: Answer of a batch that ended without one: its trees are asked for alone.
DIED = [{"exception": "died"}]


class OrderedSet(collections.abc.MutableSet):
    """Set that yields its items in insertion order."""

    def __init__(self, items=()):
        self._items = dict.fromkeys(items)

    def __contains__(self, item):
        return item in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def add(self, item):
        """Add an item at the end."""
        self._items.setdefault(item)

    def discard(self, item):
        """Remove an item if it is present."""
        self._items.pop(item, None)

    def update(self, *others):
        """Add the items of others."""
        for other in others:
            self._items.update(dict.fromkeys(other))


class ReversedSet(OrderedSet):
    """Set that yields its items in reverse insertion order."""

    def __iter__(self):
        return reversed(self._items)


class SaltedSet(OrderedSet):
    """Set that yields its items in a random order, which depends on a salt."""

    salt = ""

    def __iter__(self):
        return iter(sorted(self._items, key=lambda item: zlib.crc32(f"{self.salt}{item}".encode())))


#: Sets by their order: that of hashes is chance, and each of the others is one that it may be.
SETS = {"hashed": set, "written": OrderedSet, "reversed": ReversedSet}
SETS |= {salt: type("SaltedSet", (SaltedSet,), {"salt": salt}) for salt in "123456"}


class MemoryFiles:
    """File client over the SLS of one tree; the path of a file is its SLS name."""

    def __init__(self, client, files):
        self.client = client
        self.files = files

    def get_state(self, sls, saltenv, cachedir=None):
        """Return the source and the path of an SLS, {} if there is none."""
        if saltenv != "base" or sls not in self.files:
            return {}
        return {"source": f"salt://{sls.replace('.', '/')}{'/init' * (sls == 't')}.sls", "dest": sls}

    def list_states(self, saltenv):
        """Return the names of all SLS."""
        return list(self.files) if saltenv == "base" else []

    def __getattr__(self, name):
        return getattr(self.client, name)


class Machine:
    """A loaded state machine of stock that is reset before each run."""

    def __init__(self, machine):
        self.machine = machine
        self.client = machine.client
        self.opts = [(opts, dict(opts)) for opts in (machine.opts, machine.state.opts)]
        self.plain = [
            (owner, name, copy.deepcopy(value))
            for owner in (machine, machine.state)
            for name, value in vars(owner).items()
            if isinstance(value, PLAIN) and name not in ("opts", "state_con", "_init_kwargs")
        ]
        tables = [machine.state.functions, machine.state.states, machine.state.rend, machine.state.utils]
        packs = [getattr(table, "pack", {}).get("__context__") for table in tables]
        contexts = [machine.state.state_con, *(pack for pack in packs if hasattr(pack, "clear"))]
        self.contexts = [(context, dict(context)) for context in contexts]

    def run(self, request):
        """Run a tree; return the result of `state.apply`."""
        for module in (salt.state, salt.utils.requisite):
            module.set = SETS[request["sets"]]
        self._renew()
        machine, files = self.machine, request["files"]
        for opts, _ in self.opts:
            opts.update(request["settings"])
        machine.client = MemoryFiles(self.client, files)
        machine.avail = type(machine.avail)(machine)
        salt.state.compile_template = lambda path, *args, **kwargs: json.loads(json.dumps(files[path]))
        machine.push_active()
        try:
            high, errors = machine.render_highstate({"base": ["t"]})
            return errors or machine.state.call_high(high)
        finally:
            machine.pop_active()

    def _renew(self):
        for owner, name, value in self.plain:
            setattr(owner, name, copy.deepcopy(value))
        for opts, before in self.opts:
            for key in SETTINGS:
                if key in before:
                    opts[key] = before[key]
                else:
                    opts.pop(key, None)
        for context, before in self.contexts:
            context.clear()
            context.update(before)


def retcode_of(real):
    """Return a `cmd.retcode` that knows the commands of random trees without starting them."""

    def retcode(command, *args, **kwargs):
        return COMMANDS[command] if command in COMMANDS else real(command, *args, **kwargs)

    return retcode


def run_batch(machines, requests):
    """Return the answers of a batch as text."""
    # Retries wait; how long is not compared.
    time.sleep = lambda seconds: None
    answers = []
    for request in requests:
        signal.alarm(stock_states.LIMIT)
        try:
            answers.append(machines[request["test"]].run(request))
        except BaseException as exc:
            answers.append({"exception": f"{type(exc).__name__}: {exc}"})
    signal.alarm(0)
    return json.dumps(answers, default=str)


def answer(machines, requests):
    """Return the answers of a batch, from a forked process."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        signal.signal(signal.SIGALRM, _too_long)
        with os.fdopen(writing, "w") as out:
            out.write(run_batch(machines, requests))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    if text:
        return text
    if len(requests) == 1:
        return json.dumps(DIED)
    return json.dumps([json.loads(answer(machines, [request]))[0] for request in requests])


def _too_long(*_):
    raise TimeoutError(f"took more than {stock_states.LIMIT} s")


def serve(path):
    """Answer requests until standard input ends."""
    replies = stock_states.own_output()
    machines = {is_test: Machine(stock_states.prepared(path, is_test)) for is_test in (False, True)}
    for machine in machines.values():
        functions = machine.machine.state.functions
        functions._dict["cmd.retcode"] = retcode_of(functions["cmd.retcode"])
    stock_states.settle()
    for line in sys.stdin:
        print(answer(machines, json.loads(line)), file=replies, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
