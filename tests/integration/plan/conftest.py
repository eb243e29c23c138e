"""Plans of states on one machine: the tree that they change, and calls that save and apply them."""

import pytest
import yaml

SAVE = ("test=True", "--save")


@pytest.fixture
def tree(salt_g):
    """Return a directory for states to change."""
    path = salt_g.root / "tree"
    path.mkdir()
    return path


@pytest.fixture
def plan(salt_g):
    """Save the plan of states given as data (or as text) and return its file."""

    def save(states, *words, **settings):
        text = states if isinstance(states, str) else yaml.safe_dump(states, sort_keys=False)
        salt_g.write({"t.sls": text})
        file = salt_g.root / "t.plan"
        saved = salt_g("state.apply", "t", *words, *SAVE, str(file), as_json=False, **settings)
        assert file.exists(), saved
        return file

    return save


@pytest.fixture
def apply(salt_g):
    """Apply a plan."""
    return lambda file, *words, **settings: salt_g("state.apply_plan", str(file), *words, **settings)


@pytest.fixture
def conf(tree):
    """Return a file of the tree, and states that change a line of it."""
    path = tree / "x.conf"
    path.write_text("a\nb\n")
    return path, {"conf": {"file.managed": [{"name": str(path)}, {"contents": "a\nB\n"}]}}
