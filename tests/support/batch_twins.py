"""State runs of stock Salt and of salt-g over many trees that never touch a disk.

`BatchTwins` owns stock's process, which ends with the `with` block. Ours runs in this process, over the same
engine as `state.apply`, without its lock, its pillar and its record of high data.
"""

from __future__ import annotations

import collections
import json
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from salt_g import api
from salt_g.local_call import local_context
from salt_g.services import protocols
from salt_g.state.engine import StateEngine
from salt_g.state.run.state_run import Clock
from tests.support.state_twins import StateTwins, returned, without_advice
from tests.support.steady_values import steady

#: One run of a tree: its files by SLS name, its settings, whether it only tests.
Run = tuple[Mapping[str, Any], Mapping[str, Any], bool]

#: Exit codes of the commands that conditions of random trees name.
COMMANDS = {"true": 0, "false": 1}


class MemoryFiles:
    """File access and rendering over the SLS of one tree; the path of a file is its SLS name."""

    def __init__(self, files: Mapping[str, Any]) -> None:
        self._files = files

    def envs(self) -> list[str]:
        """Return the file environments."""
        return ["base"]

    def list_states(self, saltenv: str = "base") -> list[str]:
        """Return the names of all SLS."""
        return sorted(self._files)

    def cache_sls(self, sls: str, saltenv: str = "base") -> tuple[str, str]:
        """Return (URL, path) of an SLS."""
        if sls not in self._files:
            return "", ""
        return f"salt://{sls.replace('.', '/')}{'/init' * (sls == 't')}.sls", sls

    def render_sls(self, path: str, **_: Any) -> Any:
        """Return a copy of an SLS's data."""
        return json.loads(json.dumps(self._files[path]))

    def locate_sls(self, path: str, **_: Any) -> NoReturn:
        """Raise: plain data have no lines."""
        raise LookupError(path)


class Plugins:
    """Plugins whose `cmd.retcode` has results for the commands of random trees, without starting them."""

    def __init__(self, plugins: protocols.Plugins) -> None:
        self._plugins = plugins
        known: dict[str, Any] = {"cmd.retcode": self._retcode}
        modules: Any = plugins.table("modules")
        self._modules = collections.ChainMap(known, modules)

    def table(self, kind: str) -> Mapping[str, Any]:
        """Return the functions of a kind."""
        return self._modules if kind == "modules" else self._plugins.table(kind)

    def _retcode(self, command: str, *args: Any, **kwargs: Any) -> Any:
        if command in COMMANDS:
            return COMMANDS[command]
        return self._plugins.table("modules")["cmd.retcode"](command, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plugins, name)


class BatchTwins(StateTwins):
    """Twins that run the SLS `t` of many trees at once."""

    program = "stock_batches.py"

    def __init__(self, root: pathlib.Path, stock_bin: pathlib.Path) -> None:
        super().__init__(root, stock_bin)
        self._base = local_context(self._opts).replace(grains=self._grains, pillar={})
        self._plugins = Plugins(self._base.services.plugins)
        self._clock = Clock(sleep=lambda seconds: None)

    def run_all(self, trees: Sequence[Run]) -> list[tuple[Any, Any]]:
        """Run [(files, settings, is_test)]; return [(stock's answer, ours)], without times."""
        self._ask(trees, "hashed")
        ours = [self.ours(*tree) for tree in trees]
        return list(zip(self._answered_batch(), ours, strict=True))

    def stock(
        self, files: Mapping[str, Any], settings: Mapping[str, Any], is_test: bool, *, sets: str
    ) -> Any:
        """Return stock's results without volatile parts; `sets` is the order of its sets."""
        self._ask([(files, settings, is_test)], sets)
        return self.steady(self._answered_batch())[0]

    def _ask(self, trees: Iterable[Run], sets: str) -> None:
        requests = [
            {"files": files, "settings": settings, "test": is_test, "sets": sets}
            for files, settings, is_test in trees
        ]
        self._requests.write(json.dumps(requests) + "\n")
        self._requests.flush()

    def _answered_batch(self) -> list[Any]:
        return [_untimed(one) for one in json.loads(self._answers.readline())]

    def ours(self, files: Mapping[str, Any], settings: Mapping[str, Any], is_test: bool) -> Any:
        """Return our results."""
        memory = MemoryFiles(files)
        services = self._base.services.replace(
            files=lambda: memory, render=lambda: memory, plugins=lambda: self._plugins
        )
        context = self._base.with_opts(**settings, test=is_test).replace(services=services, scratch={})
        with api.use(context):
            engine = StateEngine(services, clock=self._clock)
            answer = returned(lambda: engine.apply_high(engine.high_of_sls(["t"]).as_mapping()))
        return _untimed(json.loads(json.dumps(without_advice(answer), default=str)))

    def steady(self, answers: Any) -> Any:
        """Return results without what differs between two runs of one program."""
        return steady(answers, self.root)


def _untimed(answer: Any) -> Any:
    """Return a result without times, which are never equal."""
    for result in answer.values() if isinstance(answer, dict) else ():
        if isinstance(result, dict):
            result.pop("start_time", None)
            result.pop("duration", None)
    return answer
