"""State runs of stock Salt and of salt-g over one directory of trees, each in one long process.

`StateTwins` runs one SLS, `TextTwins` all from pillar and top files to results. Both own stock's process,
which ends with the `with` block. Ours runs in this process.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
from typing import Any

from salt_g import api, config
from salt_g.errors import CompileError, SaltGError
from salt_g.local_call import local_context
from support.random_texts import ENVIRONMENTS, NODEGROUPS
from support.steady_values import steady

#: What stock runs, and the users' state module of the trees.
PROGRAMS = pathlib.Path(__file__).parents[1] / "interop" / "random_trees"


class Twins:
    """Stock and salt-g over the trees in one directory."""

    #: What runs in stock's Python, and settings that only these twins have.
    program = "stock_states.py"
    settings: dict[str, Any] = {}

    def __init__(self, root, stock_bin):
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

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        self._answers.close()
        self._stock.wait(30)

    def run(self, tree, *, is_test):
        """Run the tree that the directory holds; return (stock's answer, ours) without what is volatile."""
        request = {"sls": "t", "test": is_test, "settings": tree.settings}
        return self._answered(request, lambda: self._ours(tree, is_test=is_test))

    def _answered(self, request, ours):
        self._requests.write(json.dumps(request) + "\n")
        self._requests.flush()
        answer = json.loads(json.dumps(ours(), default=str))
        stock = json.loads(self._answers.readline())
        return steady(stock, self.root), steady(answer, self.root)

    def _ours(self, tree, *, is_test):
        raise NotImplementedError

    def _context(self, tree, **settings):
        # Grains take longer than a run; they are the same for each.
        return local_context({**self._opts, **tree.settings, **settings}).replace(grains=self._grains)


class StateTwins(Twins):
    """Twins that run the SLS `t` below `states`."""

    @property
    def states(self):
        """The directory of SLS files."""
        return self.root / "states"

    def _ours(self, tree, *, is_test):
        with api.use(self._context(tree)) as context:
            return without_advice(
                returned(lambda: context.table("modules")["state.apply"]("t", test=is_test))
            )


class TextTwins(Twins):
    """Twins that run what the top files name: {"pillar": ..., "low": ..., "results": ...}."""

    program = "stock_texts.py"
    settings = {
        "file_roots": {env: [f"{{ROOT}}/states/{env}"] for env in ENVIRONMENTS},
        "pillar_roots": {env: [f"{{ROOT}}/pillar/{env}"] for env in ENVIRONMENTS},
        "nodegroups": NODEGROUPS,
    }

    def rendered(self, templates):
        """Return (what stock makes of each of the templates, what we make of it); errors as texts."""
        request = {"test": False, "settings": {}, "templates": templates}
        return self._answered(request, lambda: self._rendered(templates))

    def _rendered(self, templates):
        with api.use(local_context(self._opts).replace(grains=self._grains, pillar={})) as context:
            render = context.table("modules")["slsutil.renderer"]
            return [
                _or_error(lambda text=text: render(string=text, default_renderer="jinja|yaml"))
                for text in templates
            ]

    def _ours(self, tree, *, is_test):
        with api.use(self._context(tree, test=is_test)) as context:
            pillar = dict(context.pillar)
            if "_errors" in pillar:
                return {"pillar": pillar}
            table = context.table("modules")
            low = returned(table["state.show_lowstate"])
            results = returned(lambda: table["state.highstate"](test=is_test))
            return {"pillar": pillar, "low": low, "results": without_advice(results)}


def _or_error(run):
    try:
        return run()
    except Exception as exc:
        return f"failed: {exc}"


def returned(run):
    """Return what a run returns: results, the messages of a compile, {"exception": ...}."""
    try:
        return run()
    except CompileError as exc:
        return exc.messages
    except SaltGError as exc:
        return {"exception": {"comment": str(exc)}}


def _configure(root, further):
    """Write settings for both, and the users' state modules that the trees use."""
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


def without_advice(returned):
    """Return our results without the warnings on unknown arguments, which stock does not have."""
    for result in returned.values() if isinstance(returned, dict) else ():
        kept = [text for text in result.pop("warnings", ()) if "is not known" not in text]
        if kept:
            result["warnings"] = kept
    return returned
