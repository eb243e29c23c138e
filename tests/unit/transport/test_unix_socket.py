"""Listening UNIX sockets: their modes, their paths, and the user at the other end."""

import errno
import os
import socket
import stat

import pytest

from salt_g.transport.unix_socket import LONGEST_PATH, PeerCredentials, credentials_of, listen


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def open_descriptors():
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("mode", [0o600, 0o660, 0o666])
def test_a_socket_has_its_mode_and_the_umask_is_as_before(open_directory, mode):
    before = os.umask(0o022)
    try:
        path = str(open_directory / f"{mode:o}.ipc")
        with listen(path, mode):
            assert mode_of(path) == mode
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)


def test_a_stale_socket_is_replaced(open_directory):
    path = str(open_directory / "stale.ipc")
    listen(path, 0o666).close()

    with listen(path, 0o600), socket.socket(socket.AF_UNIX) as peer:
        assert mode_of(path) == 0o600
        peer.connect(path)


def test_a_path_may_have_as_many_bytes_as_the_kernel_takes(open_directory):
    room = LONGEST_PATH - len(os.fsencode(open_directory)) - 1
    listen(str(open_directory / ("x" * room)), 0o600).close()

    with pytest.raises(OSError, match="shorter sock_dir") as raised:
        listen(str(open_directory / ("ä" * (room // 2 + 1))), 0o600)
    assert raised.value.errno == errno.ENAMETOOLONG


def test_a_socket_that_cannot_be_bound_is_closed_and_the_umask_is_as_before(open_directory):
    before = os.umask(0o022)
    try:
        descriptors = open_descriptors()
        # The failure, which is held here, must not hold the socket.
        with pytest.raises(FileNotFoundError) as raised:
            listen(str(open_directory / "none" / "x.ipc"), 0o600)
        assert (open_descriptors(), raised.value.errno) == (descriptors, errno.ENOENT)
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)


def test_the_kernel_names_the_peer():
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert credentials_of(one) == PeerCredentials(os.getpid(), os.geteuid(), os.getegid())
