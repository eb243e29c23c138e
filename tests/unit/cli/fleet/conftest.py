"""A fake master for commands."""

from typing import ClassVar

import pytest


@pytest.fixture
def link(monkeypatch):
    """Return a link to a master: `requests` are recorded, `reply` is its answer.

    Any login gets a token.
    """

    class Link:
        requests: ClassVar[list] = []
        reply: ClassVar[dict] = {}

        def __init__(self, directory):
            pass

        def ask(self, load, *, timeout):
            self.requests.append(load)
            return {"token": "t0"} if load["cmd"] == "mk_token" else self.reply

        def close(self):
            pass

    monkeypatch.setattr("salt_g.client.unix_link.UnixLink", Link)
    return Link
