#!/usr/bin/env python3
"""A client of Salt's wire protocol that shares no code with salt-g, and a test of masters with it.

    saltwire.py selftest --host 127.0.0.1 --root-key PATH [...]

takes each step of the protocol with a master that runs, and prints PASS or FAIL for it; the exit code is 1
when one failed. As a module it has the names that other programs need. Dependencies: gevent, pyzmq, msgpack,
pycryptodome.
"""

import argparse
import sys

from selftest import Selftest
from wire.bus import EventBus
from wire.client import LocalClient
from wire.errors import AuthError, KeyPending, KeyRejected, MasterFull, Refused, Timeout, WireError
from wire.minion import Minion
from wire.rsa import KeyPair
from wire.trust import MasterTrust

__all__ = [
    "AuthError",
    "EventBus",
    "KeyPair",
    "KeyPending",
    "KeyRejected",
    "LocalClient",
    "MasterFull",
    "MasterTrust",
    "Minion",
    "Refused",
    "Timeout",
    "WireError",
]


def main():
    """Run what the command line asks for and give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    _add_selftest(commands.add_parser("selftest", help="try a master that runs, step by step"))
    return Selftest(parser.parse_args()).run()


def _add_selftest(parser):
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--ret-port", type=int, default=4506)
    parser.add_argument("--publish-port", type=int, help="default: what the master says")
    parser.add_argument("--id", default="saltwire-probe")
    parser.add_argument("--pki-dir", help="where our key and the master's are kept")
    parser.add_argument("--root-key", help="the master's <cachedir>/.root_key")
    parser.add_argument("--user", default="root")
    parser.add_argument("--sock-dir", help="the master's sock_dir, for the steps on the event bus")
    parser.add_argument("--file", help="path below the file roots to fetch")
    parser.add_argument("--enc-algo", default="OAEP-SHA1")
    parser.add_argument("--sig-algo", default="PKCS1v15-SHA1")
    parser.add_argument("--require-pub-sig", action="store_true")
    parser.add_argument("--zmq-filtering", action="store_true")
    parser.add_argument("--sign-pub", help="master_sign.pub, if the master signs its key")
    parser.add_argument(
        "--accept-wait", type=float, default=0, help="seconds to wait until the key is accepted"
    )
    parser.add_argument("--timeout", type=float, default=20, help="seconds for each request")
    parser.add_argument("--cleanup", action="store_true", help="delete our key at the end")


if __name__ == "__main__":
    sys.exit(main())
