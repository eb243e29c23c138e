"""The client's half of Salt's wire protocol, without code of salt-g (docs/spec/wire-protocol.md).

What a minion and a command line say to a master: enough to probe a master, and to load one, from outside.
It is strict: what a careful minion verifies is verified, and each failure is an exception of its own.
"""
