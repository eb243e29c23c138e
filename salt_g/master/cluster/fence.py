"""Fence around a master cut off from its cluster: requests that need a valid key get no answer.

Another master may have revoked a minion meanwhile. Files are still served, and minions retry all other
requests.
"""

from __future__ import annotations

from collections.abc import Callable

from salt_g.errors import StoreError
from salt_g.master.admission.sessions import MinionSession
from salt_g.transport.protocols import Arrival, Postponed
from salt_g.wire.envelope import Envelope
from salt_g.wire.requests import SealedRequest

#: Commands that are still served, because their answers hold no secrets of a minion.
OPEN = frozenset(
    """
    _dir_list _file_envs _file_find _file_hash _file_hash_and_stat _file_hashes _file_list
    _file_list_emptydirs _serve_file _serve_files _symlink_list
    """.split()  # noqa: SIM905 - as a list literal it would fill a page
)


class Fence:
    """Fence; `ask` raises StoreError while this master may not know all keys."""

    def __init__(self, ask: Callable[[], None]) -> None:
        self._ask = ask

    def sign_in(self, answer: Callable[[Envelope, Arrival], bytes]) -> Callable[[Envelope, Arrival], bytes]:
        """Return a handler of sign-ins that answers only while the fence is open."""

        def answer_behind(envelope: Envelope, arrival: Arrival) -> bytes:
            self._pass()
            return answer(envelope, arrival)

        return answer_behind

    def check(
        self, check: Callable[[MinionSession, SealedRequest], None]
    ) -> Callable[[MinionSession, SealedRequest], None]:
        """Return a check of requests that postpones all but file requests while the fence is closed."""

        def check_behind(session: MinionSession, request: SealedRequest) -> None:
            if request.load.get("cmd") not in OPEN:
                self._pass()
            check(session, request)

        return check_behind

    def _pass(self) -> None:
        """Raise Postponed while the fence is closed."""
        try:
            self._ask()
        except StoreError as exc:
            raise Postponed(str(exc)) from exc
