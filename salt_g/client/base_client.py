"""Base class of clients: a connection to the master, opened on first use, closed by `destroy`.

Errors: MasterUnreachable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from salt_g.client.connect import open_link, user_name
from salt_g.client.link import Link

if TYPE_CHECKING:
    from salt_g.shapes import Opts

_Client = TypeVar("_Client", bound="BaseClient")


class BaseClient:
    """Client of one master; lifecycle: created, used by one thread, `destroy`."""

    def __init__(self, opts: Opts, *, link: Link | None = None, user: str | None = None) -> None:
        """Use the master with the settings `opts`, through `link` if given."""
        self.opts = opts
        self.user = user_name() if user is None else user
        self._link = link

    def __enter__(self: _Client) -> _Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.destroy()

    @property
    def link(self) -> Link:
        """Connection to the master, opened on first use."""
        if self._link is None:
            self._link = open_link(self.opts)
        return self._link

    def destroy(self) -> None:
        """Close the connection."""
        if self._link is not None:
            self._link.close()
            self._link = None
