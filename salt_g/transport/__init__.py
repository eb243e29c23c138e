"""Message transport: ZeroMQ sockets and UNIX sockets as greenlets.

Except for the frames of the event bus, this package does not interpret the bytes; `wire/` does. Each
socket has at most one reader and one writer greenlet, and each queue has a bound and a rule for when it
is full.

Begin with `request_server` and `request_client` (4506), `publisher` and `subscriber` (4505), then
`bus_server` and `bus_client` (the local event bus). `zeromq` has the common parts of the sockets, and
`in_memory` the same interfaces without sockets, for tests of higher layers.
"""
