"""Stock's `salt.utils.zeromq`: the library pyzmq."""

import zmq

__all__ = ["zmq"]
