"""Transports `tcp` and `ws`: the same messages on plain byte streams, with or without TLS.

`message_maps` and `websocket` turn bytes into messages and back, `tls_layer` encrypts them; none of them has
a socket. `carriers` chooses by the settings `transport` and `ssl`. A master's ports are those of `zeromq`
with another carrier; a minion connects with `stream_requests` and `stream_subscriber`, both on
`client_stream`.
"""
