"""Reader that counts the data of a socket: `reader.py zmq ADDRESS FILE`, `reader.py unix PATH FILE`."""

import socket
import sys


def pieces_of_zmq(address):
    """Yield the publications of a master."""
    import zmq

    reader = zmq.Context().socket(zmq.SUB)
    reader.setsockopt(zmq.SUBSCRIBE, b"")
    reader.connect(address)
    while True:
        yield reader.recv_multipart()


def pieces_of_unix(path):
    """Yield the data of a UNIX socket until the peer closes it."""
    with socket.socket(socket.AF_UNIX) as reader:
        reader.connect(path)
        while True:
            data = reader.recv(1 << 16)
            if not data:
                return
            yield data


if __name__ == "__main__":
    kind, place, path = sys.argv[1:]
    with open(path, "ab", buffering=0) as count:
        for _ in {"zmq": pieces_of_zmq, "unix": pieces_of_unix}[kind](place):
            count.write(b".")
