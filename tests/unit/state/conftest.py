"""A state engine over trees of plain data: no files, no renderer, no loader."""

import contextlib
import copy
import inspect

import pytest

from salt_g.errors import RenderError
from salt_g.state.engine import Engine
from salt_g.state.run.state_run import Clock
from salt_g.states import test as states_test


class FakeFiles:
    """Environments of SLS names; the path of a file is `env:name`."""

    def __init__(self, trees):
        self.trees = trees

    def envs(self):
        return list(self.trees)

    @contextlib.contextmanager
    def noting_use(self, expected=None):
        yield {"salt://web.sls": "digest"}

    def hash_file(self, url, saltenv="base"):
        return {}

    def list_states(self, saltenv="base"):
        return sorted(self.trees.get(saltenv, {}))

    def cache_sls(self, sls, saltenv="base"):
        if sls not in self.trees.get(saltenv, {}):
            return "", ""
        name = sls.replace(".", "/")
        is_folder = any(other.startswith(f"{sls}.") for other in self.trees[saltenv])
        return f"salt://{name}/init.sls" if is_folder else f"salt://{name}.sls", f"{saltenv}:{sls}"

    def cache_file(self, url, saltenv="base"):
        name = url.removeprefix("salt://").removesuffix(".sls").replace("/", ".")
        return f"{saltenv}:{name}" if name in self.trees.get(saltenv, {}) else ""


class FakeRendering:
    """Renders a path to the tree's own data; an exception there is raised."""

    def __init__(self, trees):
        self.trees = trees

    def render_sls(self, path, *, sls, saltenv, tmplpath):
        env, _, name = path.partition(":")
        data = self.trees[env][name]
        if isinstance(data, BaseException):
            raise data
        return copy.deepcopy(data)

    def locate_sls(self, path, *, sls, saltenv):
        raise RenderError("plain data has no lines")


class FakeMatching:
    """Means this minion by '*' and by its id."""

    def matches(self, tgt, tgt_type="glob"):
        return tgt in ("*", "unit")


def our_states():
    """Return the table of our own `test` states."""
    functions = inspect.getmembers(states_test, inspect.isfunction)
    return {
        f"test.{name}": function
        for name, function in functions
        if function.__module__.endswith("states.test")
    }


@pytest.fixture
def state_engine(call_context, tmp_path):
    """Return a function that makes an engine over `base` ({sls: data}) or several environments.

    `slept` on the engine lists the waits; further keywords go to `call_context`.
    """

    def make(base=None, *, trees=None, states=None, functions=None, opts=None, job=None, **context):
        trees = trees or {"base": base or {}}
        slept = []
        files, rendering = FakeFiles(trees), FakeRendering(trees)
        entered = call_context(
            states={**our_states(), **(states or {})},
            functions=functions,
            opts={"cachedir": str(tmp_path / "cache"), "state_auto_order": True, **(opts or {})},
            files=files,
            render=rendering,
            match=FakeMatching(),
            **context,
        )
        if job:
            object.__setattr__(entered, "job", job)
        engine = Engine(entered.services, clock=Clock(sleep=slept.append))
        engine.slept = slept
        return engine

    return make


@pytest.fixture
def comments():
    """Return a function that returns {id: comment} of a running dict."""
    return lambda running: {
        ret.get("__id__", tag.split("_|-")[1]): ret["comment"] for tag, ret in running.items()
    }


@pytest.fixture
def results():
    """Return {id: result} of a running dict."""
    return lambda running: {tag.split("_|-")[1]: ret["result"] for tag, ret in running.items()}


@pytest.fixture
def one():
    """Return the only return of a running dict."""

    def only(running):
        (ret,) = running.values()
        return ret

    return only
