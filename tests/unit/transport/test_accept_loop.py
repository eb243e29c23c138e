"""Transient and lasting errors of a listening socket, and their log lines."""

import errno

import pytest

from salt_g.transport.accept_loop import accept_connections


class Listener:
    """A listening socket that yields connections and raises errors in order, and ends with EBADF."""

    def __init__(self, *outcomes):
        self.outcomes = [*outcomes, OSError(errno.EBADF, "closed")]

    def accept(self):
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, OSError):
            raise outcome
        return outcome, f"address of {outcome}"


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ECONNABORTED])
def test_connections_are_accepted_again_after_a_shortage(number, caplog):
    admitted = []
    listener = Listener("a", OSError(number, "lacking"), "b")

    with pytest.raises(OSError, match="closed"):
        accept_connections(listener, "port: cannot accept", lambda *given: admitted.append(given), pause=0)

    assert admitted == [("a", "address of a"), ("b", "address of b")]
    assert caplog.messages == [f"port: cannot accept: [Errno {number}] lacking"]


def test_the_loop_ends_with_its_socket():
    with pytest.raises(OSError, match="closed") as raised:
        accept_connections(Listener(), "port: cannot accept", lambda *given: None)

    assert raised.value.errno == errno.EBADF
