"""State runs of stock Salt and of salt-g over many trees that never touch a disk.

`BatchTwins` owns stock's process, which ends with the `with` block. Ours runs in this process, over the same
engine as `state.apply`, without its lock, its pillar and its record of high data.
"""

import collections
import json
from typing import Any

from salt_g import api
from salt_g.local_call import local_context
from salt_g.state.engine import Engine
from salt_g.state.run.state_run import Clock
from support.state_twins import StateTwins, returned, without_advice
from support.steady_values import steady

#: Exit codes of the commands that conditions of random trees name.
COMMANDS = {"true": 0, "false": 1}


class MemoryFiles:
    """File access and rendering over the SLS of one tree; the path of a file is its SLS name."""

    def __init__(self, files):
        self._files = files

    def envs(self):
        """Return the file environments."""
        return ["base"]

    def list_states(self, saltenv="base"):
        """Return the names of all SLS."""
        return sorted(self._files)

    def cache_sls(self, sls, saltenv="base"):
        """Return (URL, path) of an SLS."""
        if sls not in self._files:
            return "", ""
        return f"salt://{sls.replace('.', '/')}{'/init' * (sls == 't')}.sls", sls

    def render_sls(self, path, **_):
        """Return the data of an SLS, a copy of its own."""
        return json.loads(json.dumps(self._files[path]))

    def locate_sls(self, path, **_):
        """Raise: data have no lines."""
        raise LookupError(path)


class Plugins:
    """Plugins whose `cmd.retcode` knows the commands of random trees without starting them."""

    def __init__(self, plugins):
        self._plugins = plugins
        known: dict[str, Any] = {"cmd.retcode": self._retcode}
        self._modules = collections.ChainMap(known, plugins.table("modules"))

    def table(self, kind):
        """Return the functions of a kind."""
        return self._modules if kind == "modules" else self._plugins.table(kind)

    def _retcode(self, command, *args, **kwargs):
        if command in COMMANDS:
            return COMMANDS[command]
        return self._plugins.table("modules")["cmd.retcode"](command, *args, **kwargs)

    def __getattr__(self, name):
        return getattr(self._plugins, name)


class BatchTwins(StateTwins):
    """Twins that run the SLS `t` of many trees at once."""

    program = "stock_batches.py"

    def __init__(self, root, stock_bin):
        super().__init__(root, stock_bin)
        self._base = local_context(self._opts).replace(grains=self._grains, pillar={})
        self._plugins = Plugins(self._base.services.plugins)
        self._clock = Clock(sleep=lambda seconds: None)

    def run_all(self, trees):
        """Run [(files, settings, is_test)]; return [(stock's answer, ours)], without times."""
        self._ask(trees, "hashed")
        ours = [self.ours(*tree) for tree in trees]
        return list(zip(self._answered_batch(), ours, strict=True))

    def stock(self, files, settings, is_test, *, sets):
        """Return stock's answer without what is volatile; `sets` is the order of its sets."""
        self._ask([(files, settings, is_test)], sets)
        return self.steady(self._answered_batch())[0]

    def _ask(self, trees, sets):
        requests = [
            {"files": files, "settings": settings, "test": is_test, "sets": sets}
            for files, settings, is_test in trees
        ]
        self._requests.write(json.dumps(requests) + "\n")
        self._requests.flush()

    def _answered_batch(self):
        return [_untimed(one) for one in json.loads(self._answers.readline())]

    def ours(self, files, settings, is_test):
        """Return our answer."""
        memory = MemoryFiles(files)
        services = self._base.services.replace(
            files=lambda: memory, render=lambda: memory, plugins=lambda: self._plugins
        )
        context = self._base.with_opts(**settings, test=is_test).replace(services=services, scratch={})
        with api.use(context):
            engine = Engine(services, clock=self._clock)
            answer = returned(lambda: engine.apply_high(engine.high_of_sls(["t"])))
        return _untimed(json.loads(json.dumps(without_advice(answer), default=str)))

    def steady(self, answers):
        """Return answers without what differs between two runs of one program."""
        return steady(answers, self.root)


def _untimed(answer):
    """Return an answer without the times of its results, which are never equal."""
    for result in answer.values() if isinstance(answer, dict) else ():
        if isinstance(result, dict):
            result.pop("start_time", None)
            result.pop("duration", None)
    return answer
