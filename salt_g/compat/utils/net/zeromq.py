"""Stock's `salt.utils.zeromq`."""

import zmq

__all__ = ["zmq"]
