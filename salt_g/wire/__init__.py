"""Bytes to values and back: what minions, masters and command lines say to one another.

No socket and no clock is in this room: moments and random numbers come as arguments, so every
message can be made and read in a test. `transport/` carries the bytes.

Begin with `packing` (values to bytes), then `aes` and `rsa` (the two kinds of envelope), `auth`
(the sign-in, from both sides), `requests`, `pillars` and `publications` (what travels afterwards),
`sessions` and `replay` (keys and nonces that live), and `events` (the local bus).
"""
