"""Bytes between programs: ZeroMQ sockets and UNIX sockets as greenlets.

Nothing here knows what the bytes mean, except the frames of the event bus; `wire/` does. Each
socket has one reader and one writer greenlet at most, and each queue a bound and a rule for when
it is full.

Begin with `request_server` and `request_client` (4506), `publisher` and `subscriber` (4505), then
`bus_server` and `bus_client` (the local event bus). `zeromq` has what the sockets share, and
`memory` the same interfaces without sockets, for tests of what stands above.
"""
