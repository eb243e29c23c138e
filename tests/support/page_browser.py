"""Chromium for tests of the API's page, and axe-core, which finds barriers to accessibility.

axe-core is downloaded from npm's registry by `npm pack`, and its hash is verified.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browser import BROWSER, need_browser
from tests.support.waiting import until

_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update"),
    *("--disable-background-networking", "--disable-sync"),
)
_AXE = "axe-core@4.14.1"
_AXE_SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
#: Rules of WCAG 2.2, levels A and AA, and what axe's authors recommend besides.
_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Yield a headless browser; without one skip the test, or fail in CI."""
    need_browser()
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=BROWSER, args=list(_FLAGS))
        yield found
        found.close()


def wait_for(page: Page, expression: str) -> Any:
    """Wait until a JavaScript expression is true; the page's policy forbids Playwright's own way."""
    return until(lambda: page.evaluate(expression), expression, seconds=20)


def axe_source() -> str:
    """Return the script of axe-core; SALT_G_AXE may name the archive from npm's registry."""
    with tempfile.TemporaryDirectory() as directory:
        named = os.environ.get("SALT_G_AXE")
        archive = pathlib.Path(named) if named else _packed(directory)
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        assert digest == _AXE_SHA256, f"{archive} is not {_AXE} as it was published"
        with tarfile.open(archive) as tar:
            script = tar.extractfile("package/axe.min.js")
            assert script is not None
            return script.read().decode()


def _packed(directory: str) -> pathlib.Path:
    if not shutil.which("npm"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no npm here, which fetches {_AXE}")
    subprocess.run(
        ["npm", "pack", "--silent", "--pack-destination", directory, _AXE],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    [archive] = pathlib.Path(directory).glob("*.tgz")
    return archive


def violations(page: Page, source: str) -> list[tuple[Any, ...]]:
    """Return axe-core's findings in a page: [(rule, element, reason)]."""
    page.evaluate(source)
    found = page.evaluate(
        "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})"
        ".then(told => told.violations.flatMap(one => one.nodes.map(node => "
        "[one.id, node.html.slice(0, 200), node.failureSummary])))",
        list(_TAGS),
    )
    return [tuple(one) for one in found]
