"""Pause a ZeroMQ listener while the process has hardly any descriptors left.

Why its own file: libzmq accepts in a thread of its own. Without a free descriptor it tries again at once
and for ever (libzmq 4.3.5: a whole processor), and what it takes until then is missing for key files.
A new descriptor has the lowest free number, so the number of an accepted connection says how full the table
is. From `reserve` before the limit on, the kernel drops what would open a further connection; peers that
wait try again by themselves, connections that are open are left alone. Nothing of libzmq is closed: a
listener takes the connections that it has accepted with it.
Units: seconds; descriptors.
Source: socket(7), `SO_ATTACH_FILTER`; zmq_socket_monitor(3).
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import resource
import socket
import struct
import sys
from collections.abc import Iterator
from typing import Any

import gevent
import gevent.event
import zmq.green as zmq

from salt_g.hub import Supervisor

log = logging.getLogger(__name__)

#: Descriptors that connections leave to files and programs: at most so many, and a part of a low limit.
RESERVE, RESERVED_PART = 256, 8
#: How often it is looked whether descriptors are free (s), while they are and while they are not.
PAUSE = 0.5

#: Of Linux, which Python's `socket` does not name.
_SO_ATTACH_FILTER, _SO_DETACH_FILTER = 26, 27
#: `struct sock_filter` of the one instruction "accept no byte of any packet", and `struct sock_fprog`.
_DROP_ALL = struct.pack("HBBI", 0x06, 0, 0, 0)
_PROGRAM = "HP"


class ListenerPause:
    """Watches the listeners of a ZeroMQ socket; life: made before `bind`, `stop` before the socket closes."""

    def __init__(self, zmq_socket: Any, supervisor: Supervisor, *, name: str) -> None:
        self._name = name
        self._socket = zmq_socket
        self._monitor: Any = zmq_socket.get_monitor_socket(zmq.EVENT_LISTENING | zmq.EVENT_ACCEPTED)
        self._listeners: list[int] = []
        self._ports: set[int] = set()
        self._is_full = gevent.event.Event()
        self._spare: int | None = None
        self._greenlets = [
            supervisor.spawn(self._read, name=f"{name} accepted"),
            supervisor.spawn(self._run, name=f"{name} listener"),
        ]

    def stop(self) -> None:
        """Stop watching."""
        gevent.killall(self._greenlets)
        self._socket.disable_monitor()
        self._monitor.close(0)
        self._give_spare()

    def _read(self) -> None:
        """Read the monitor, for ever: libzmq's thread waits for who lets its events pile up."""
        while True:
            # The number of an event has 16 bits, its value 32.
            event, value = struct.unpack("=HI", self._monitor.recv_multipart()[0][:6])
            if event == zmq.EVENT_LISTENING:
                self._listeners.append(value)
                with _borrowed(value) as listening:
                    self._ports.add(_port_of(listening))
            elif value >= most_connections():
                self._is_full.set()
                self._hang_up(value)

    def _run(self) -> None:
        """Pause when a connection, or whatever else is open, reaches the reserve."""
        while True:
            self._is_full.wait(PAUSE)
            self._is_full.clear()
            self._take_spare()
            if not has_room():
                self._pause()

    def _pause(self) -> None:
        log.warning("%s: no further peers are taken until descriptors are free again", self._name)
        for listener in self._listeners:
            _set_filter(listener, drops=True)
        try:
            while not has_room():
                if not can_open():
                    # libzmq takes a connection with it, which is ended for the next one, until none waits.
                    self._give_spare()
                gevent.sleep(PAUSE)
                self._take_spare()
        finally:
            for listener in self._listeners:
                _set_filter(listener, drops=False)
        log.info("%s: peers are taken again", self._name)

    def _hang_up(self, connection: int) -> None:
        """End a connection that has a descriptor of the reserve; its peer comes again."""
        with contextlib.suppress(OSError), _borrowed(connection) as peer:
            # It may be closed already, and its number be another's.
            if _port_of(peer) in self._ports:
                peer.shutdown(socket.SHUT_RDWR)

    def _take_spare(self) -> None:
        if self._spare is None:
            with contextlib.suppress(OSError):
                self._spare = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)

    def _give_spare(self) -> None:
        spare, self._spare = self._spare, None
        if spare is not None:
            os.close(spare)


def _port_of(one: socket.socket) -> int:
    """Return the local port of a socket, 0 of one that has none."""
    address = one.getsockname()
    return int(address[1]) if isinstance(address, tuple) else 0


def most_connections() -> int:
    """Return from which descriptor on connections are too many."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return sys.maxsize - 1
    return limit - min(RESERVE, limit // RESERVED_PART)


def has_room() -> bool:
    """Return whether a descriptor below the reserve is free."""
    return _lowest_free() < most_connections()


def can_open() -> bool:
    """Return whether any descriptor is free."""
    return _lowest_free() < sys.maxsize


def _lowest_free() -> int:
    try:
        probe = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return sys.maxsize
    os.close(probe)
    return probe


def _set_filter(listener: int, *, drops: bool) -> None:
    """Let the kernel drop all that reaches a listening socket, or let it pass again."""
    kept = ctypes.create_string_buffer(_DROP_ALL)
    program = struct.pack(_PROGRAM, 1, ctypes.addressof(kept))
    try:
        with _borrowed(listener) as listening:
            if drops:
                listening.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)
            else:
                listening.setsockopt(socket.SOL_SOCKET, _SO_DETACH_FILTER, 0)
    except OSError as exc:
        log.warning("a listener cannot be paused or resumed: %s", exc)


@contextlib.contextmanager
def _borrowed(descriptor: int) -> Iterator[socket.socket]:
    """Give a socket of libzmq's as an object that does not close it."""
    borrowed = socket.socket(fileno=descriptor)
    try:
        yield borrowed
    finally:
        borrowed.detach()
