"""Headless Chromium controlled over a pipe: requests, console messages and screenshots of a page.

Messages are JSON, terminated by a NUL, on the browser's descriptors 3 (input) and 4 (output).
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any, BinaryIO

import pytest

#: Maximum lifetime of a browser (s), so that waiting for a response always ends.
_TIMEOUT = 60
#: Browser given in this environment variable, or an installed one.
BROWSER = os.environ.get("SALT_G_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


def need_browser() -> None:
    """Skip the test if no browser is installed; CI has one."""
    if not BROWSER:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Chromium here; SALT_G_CHROMIUM names one")


def artefacts(tmp_path: pathlib.Path) -> pathlib.Path:
    """Return the directory of screenshots: SALT_G_ARTEFACTS, else the directory of the test."""
    directory = pathlib.Path(os.environ.get("SALT_G_ARTEFACTS") or tmp_path)
    directory.mkdir(parents=True, exist_ok=True)
    return directory


class Page:
    """One page in a browser; `requests` are its requested URLs, `complaints` its console messages."""

    def __init__(self, to_browser: BinaryIO, from_browser: BinaryIO) -> None:
        self._to, self._from, self._number = to_browser, from_browser, 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[dict[str, Any]] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self._call(f"{domain}.enable")

    def open(self, path: pathlib.Path) -> None:
        """Open a file, and wait until it is loaded completely."""
        self._call("Page.navigate", url=path.as_uri())
        while self._read().get("method") != "Page.loadEventFired":
            pass

    def look(self, *, width: int, is_dark: bool = False) -> None:
        """Set the width of the window, and the user's preference for dark pages."""
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", **metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def ask(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        return self._call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get(
            "value"
        )

    def screenshot(self, path: pathlib.Path) -> None:
        """Save a screenshot of the whole page as PNG."""
        taken = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(taken["data"]))

    def _call(self, method: str, **params: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        while (answer := self._read()).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def _read(self) -> dict[str, Any]:
        text = bytearray()
        while (one := self._from.read(1)) != b"\0":
            assert one, "the browser has ended"
            text += one
        message: dict[str, Any] = json.loads(text)
        self._note(message.get("method"), message.get("params"))
        return message

    def _note(self, method: str | None, params: Any) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.complaints.append(params)


@contextlib.contextmanager
def page() -> Iterator[Page]:
    """Run a browser with one page and its own profile; both end with the context."""
    orders, ours = os.pipe()
    answers, theirs = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        script = f'exec "$0" "$@" 3<&{orders} 4>&{theirs}'
        words = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        ends = ["timeout", "-k", "1", str(_TIMEOUT)]
        browser = subprocess.Popen(
            [*ends, "bash", "-c", script, str(BROWSER), *words, f"--user-data-dir={profile}"],
            pass_fds=(orders, theirs),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(orders)
        os.close(theirs)
        try:
            with os.fdopen(ours, "wb") as to_browser, os.fdopen(answers, "rb") as from_browser:
                yield Page(to_browser, from_browser)
                # The browser exits when its control pipe is closed, and then cleans up its profile.
        finally:
            browser.terminate()
            browser.wait(30)
