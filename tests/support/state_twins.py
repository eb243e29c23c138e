"""State runs of stock Salt and of salt-g over one directory of trees, each in one long process.

`StateTwins` runs one SLS, `TextTwins` all from pillar and top files to results. Both own stock's process,
which ends with the `with` block. Ours runs in this process.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from salt_g import api, config
from salt_g.api import CallContext
from salt_g.errors import CompileError, SaltGError
from salt_g.local_call import local_context
from tests.support.random_texts import ENVIRONMENTS, NODEGROUPS
from tests.support.steady_values import steady

T = TypeVar("T", bound="Twins")

#: What stock runs, and the users' state module of the trees.
PROGRAMS = pathlib.Path(__file__).parents[1] / "interop" / "random_trees"


class Tree(Protocol):
    """A tree written to the directory, and the settings of its runs."""

    settings: dict[str, Any]


class Twins:
    """Stock and salt-g on the trees of one directory."""

    #: What runs in stock's Python, and settings that only these twins have.
    program = "stock_states.py"
    settings: dict[str, Any] = {}

    def __init__(self, root: pathlib.Path, stock_bin: pathlib.Path) -> None:
        self.root = root
        _configure(root, self.settings)
        self._opts = config.load("minion", str(root), {"file_client": "local"}).opts
        self._grains = dict(local_context(self._opts).grains)
        self._stock = subprocess.Popen(
            [str(stock_bin / "python3"), str(PROGRAMS / self.program), str(root / "minion")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
        )

        self._requests: Any = self._stock.stdin
        self._answers: Any = self._stock.stdout

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *exc_info: object) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        self._answers.close()
        self._stock.wait(30)

    def run(self, tree: Tree, *, is_test: bool) -> tuple[Any, Any]:
        """Run the tree in the directory; return (stock's result, ours) without volatile parts."""
        request = {"sls": "t", "test": is_test, "settings": tree.settings}
        return self._answered(request, lambda: self._ours(tree, is_test=is_test))

    def _answered(self, request: Mapping[str, Any], ours: Callable[[], Any]) -> tuple[Any, Any]:
        self._requests.write(json.dumps(request) + "\n")
        self._requests.flush()
        answer = json.loads(json.dumps(ours(), default=str))
        stock = json.loads(self._answers.readline())
        return steady(stock, self.root), steady(answer, self.root)

    def _ours(self, tree: Tree, *, is_test: bool) -> Any:
        raise NotImplementedError

    def _context(self, tree: Tree, **settings: Any) -> CallContext:
        # Grains take longer than a run; they are the same for each.
        return local_context({**self._opts, **tree.settings, **settings}).replace(grains=self._grains)


class StateTwins(Twins):
    """Twins that run the SLS `t` below `states`."""

    @property
    def states(self) -> pathlib.Path:
        """The directory of SLS files."""
        return self.root / "states"

    def _ours(self, tree: Tree, *, is_test: bool) -> Any:
        with api.use(self._context(tree)) as context:
            return without_advice(
                returned(lambda: context.table("modules")["state.apply"]("t", test=is_test))
            )


class TextTwins(Twins):
    """Twins that run the SLS named by the top files: {"pillar": ..., "low": ..., "results": ...}."""

    program = "stock_texts.py"
    settings = {
        "file_roots": {env: [f"{{ROOT}}/states/{env}"] for env in ENVIRONMENTS},
        "pillar_roots": {env: [f"{{ROOT}}/pillar/{env}"] for env in ENVIRONMENTS},
        "nodegroups": NODEGROUPS,
    }

    def rendered(self, templates: Sequence[str]) -> tuple[Any, Any]:
        """Return (stock's results of the templates, ours); errors as texts."""
        request = {"test": False, "settings": {}, "templates": templates}
        return self._answered(request, lambda: self._rendered(templates))

    def _rendered(self, templates: Sequence[str]) -> list[Any]:
        with api.use(local_context(self._opts).replace(grains=self._grains, pillar={})) as context:
            render = context.table("modules")["slsutil.renderer"]
            runs = [
                functools.partial(render, string=text, default_renderer="jinja|yaml") for text in templates
            ]
            return [_or_error(run) for run in runs]

    def _ours(self, tree: Tree, *, is_test: bool) -> Any:
        with api.use(self._context(tree, test=is_test)) as context:
            pillar = dict(context.pillar)
            if "_errors" in pillar:
                return {"pillar": pillar}
            table = context.table("modules")
            low = returned(table["state.show_lowstate"])
            results = returned(lambda: table["state.highstate"](test=is_test))
            return {"pillar": pillar, "low": low, "results": without_advice(results)}


def _or_error(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except Exception as exc:
        return f"failed: {exc}"


def returned(run: Callable[[], Any]) -> Any:
    """Return the outcome of a run: results, compiler messages, or {"exception": ...}."""
    try:
        return run()
    except CompileError as exc:
        return exc.messages
    except SaltGError as exc:
        return {"exception": {"comment": str(exc)}}


def _configure(root: pathlib.Path, further: Mapping[str, Any]) -> None:
    """Write settings for both, and the users' state modules for the trees."""
    plugins = root / "extmods" / "states"
    plugins.mkdir(parents=True)
    for name in ("joined", "other"):
        shutil.copy(PROGRAMS / "joined_states.py", plugins / f"{name}.py")
    settings = {
        "id": "web1.example.org",
        "file_client": "local",
        "root_dir": str(root),
        "cachedir": str(root / "cache"),
        "pki_dir": str(root / "pki"),
        "extension_modules": str(root / "extmods"),
        "log_file": str(root / "log"),
        "log_level": "quiet",
        "log_level_logfile": "quiet",
        "enable_fqdns_grains": False,
        "enable_gpu_grains": False,
        "fileserver_list_cache_time": 0,
        "file_roots": {"base": [str(root / "states")]},
        "pillar_roots": {"base": [str(root / "pillar")]},
        **further,
    }
    (root / "minion").write_text(json.dumps(settings).replace("{ROOT}", str(root)))


def without_advice(returned: Any) -> Any:
    """Return our results without the warnings on unknown arguments, which stock does not have."""
    for result in returned.values() if isinstance(returned, dict) else ():
        kept = [text for text in result.pop("warnings", ()) if "is not known" not in text]
        if kept:
            result["warnings"] = kept
    return returned
