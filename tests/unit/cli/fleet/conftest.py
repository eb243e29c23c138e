"""A fake master for commands."""

from typing import ClassVar

import pytest


@pytest.fixture
def link(monkeypatch):
    """Return a link to a master: `asked` has the requests, `reply` is its answer.

    Any login gets a token.
    """

    class Link:
        asked: ClassVar[list] = []
        reply: ClassVar[dict] = {}

        def __init__(self, directory):
            pass

        def ask(self, load, *, timeout):
            self.asked.append(load)
            return {"token": "t0"} if load["cmd"] == "mk_token" else self.reply

        def close(self):
            pass

    monkeypatch.setattr("salt_g.client.unix_link.UnixLink", Link)
    return Link
