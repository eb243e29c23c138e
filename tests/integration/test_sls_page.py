"""The examples of docs/sls.md: each is compiled with all of its requisites, and no function is called."""

import re

import pytest

from tests.support.walkthrough import DOCS

_BLOCK = re.compile(r"(?:^`(\S+)`:\n\n)?^```(salt|yaml)\n(.*?)^```$", re.M | re.S)


def _examples():
    """Return {file name: text}; blocks without a name get one."""
    blocks = _BLOCK.findall((DOCS / "sls.md").read_text())
    return {path or f"example{number}.sls": text for number, (path, _, text) in enumerate(blocks)}


EXAMPLES = _examples()


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path != "top.sls"])
def test_an_example_compiles(salt_g, path):
    salt_g.write(EXAMPLES)

    done = salt_g("state.apply", path.removesuffix(".sls").replace("/", "."), "mock=True", timeout=120)

    assert done.code == 0, done.out + done.err
    assert "Not called, mocked" in {one["comment"] for one in done.value.values()}


def test_the_top_file_compiles(salt_g):
    salt_g.write(EXAMPLES)

    done = salt_g("state.show_top", timeout=120)

    assert done.value == {"base": ["examples.base", "examples.sibling"]}
