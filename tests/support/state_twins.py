"""State runs of stock Salt and of salt-g over one directory of SLS files, each in one long process.

Owns stock's process, which ends with the `with` block. Ours runs in this process.
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
from support.steady_values import steady

#: What stock runs, and the users' state module of the trees.
PROGRAMS = pathlib.Path(__file__).parents[1] / "interop" / "random_trees"


class StateTwins:
    """Stock and salt-g over `states` in one directory; `run` returns what both return."""

    def __init__(self, root, stock_bin):
        self.states = root / "states"
        self._root = root
        self._configuration = _configured(root)
        self._opts = config.load("minion", str(root), {"file_client": "local"}).opts
        self._grains = dict(local_context(self._opts).grains)
        self._stock = subprocess.Popen(
            [str(stock_bin / "python3"), str(PROGRAMS / "stock_states.py"), str(root / "minion")],
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
        """Run the tree that the directory holds; return (stock's return, ours) without what is volatile."""
        request = {"sls": "t", "test": is_test, "settings": tree.settings}
        self._requests.write(json.dumps(request) + "\n")
        self._requests.flush()
        ours = json.loads(json.dumps(self._ours(tree, is_test=is_test)))
        stock = json.loads(self._answers.readline())
        return steady(stock, self._root), steady(_without_advice(ours), self._root)

    def _ours(self, tree, *, is_test):
        # Grains take longer than a run; they are the same for each.
        made = local_context({**self._opts, **tree.settings}).replace(grains=self._grains)
        with api.use(made) as context:
            try:
                return context.table("modules")["state.apply"]("t", test=is_test)
            except CompileError as exc:
                return exc.messages
            except SaltGError as exc:
                return {"exception": {"comment": str(exc)}}


def _configured(root):
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
    }
    (root / "minion").write_text(json.dumps(settings))


def _without_advice(returned):
    """Return our results without the warnings on unknown arguments, which stock does not have."""
    for result in returned.values() if isinstance(returned, dict) else ():
        kept = [text for text in result.pop("warnings", ()) if "is not known" not in text]
        if kept:
            result["warnings"] = kept
    return returned
