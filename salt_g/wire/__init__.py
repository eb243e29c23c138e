"""Wire format: bytes to values and back, for minions, masters and command lines.

No socket and no clock is used here: times and random numbers are arguments, so every message can be
built and parsed in a test. `transport/` carries the bytes.

Begin with `packing` (values to bytes), then `aes` and `rsa` (the two kinds of envelope), `auth_server`
and `auth_client` (the sign-in), `requests`, `pillar_reply` and `publications` (the messages after it),
`sessions` and `replay` (rotated keys, used nonces), and `events` (the local bus).
"""
