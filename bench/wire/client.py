"""The command line's side: clear requests, authorised by the key file of the master's user.

Source: wire specification, section 10.
"""

import zmq.green as zmq

from wire.errors import Refused
from wire.packing import unpack
from wire.requests import PROTOCOL_VERSION, ReqClient


class LocalClient:
    """Speaks the clear commands, authorised by the master user's key file."""

    def __init__(self, host, ret_port=4506, root_key=None, user="root", context=None):
        self.req = ReqClient(context or zmq.Context.instance(), f"tcp://{host}:{ret_port}")
        self.key, self.user = root_key, user

    @staticmethod
    def read_key(path):
        with open(path) as file:
            return file.read()

    def clear(self, load, timeout=60):
        return unpack(self.req.call({"enc": "clear", "load": load, "version": PROTOCOL_VERSION}, timeout))

    def publish(self, tgt, fun, arg=(), tgt_type="glob", jid="", timeout=60, **kwargs):
        load = {
            "cmd": "publish",
            "tgt": tgt,
            "tgt_type": tgt_type,
            "fun": fun,
            "arg": list(arg),
            "ret": "",
            "jid": jid,
            "key": self.key,
            "user": self.user,
        }
        if kwargs:
            load["kwargs"] = kwargs
        reply = self.clear(load, timeout)
        if isinstance(reply, dict) and "error" in reply:
            raise Refused(reply["error"])
        if not isinstance(reply, dict) or "load" not in reply:
            raise Refused(reply)
        return reply["load"]

    def wheel(self, fun, timeout=60, **kwarg):
        # Without "arg" and "kwarg" a master takes every other field, "user" included, for an argument.
        return self.clear(
            dict(cmd="wheel", fun=fun, arg=[], kwarg=kwarg, key=self.key, user=self.user),
            timeout,
        )

    def runner(self, fun, timeout=60, **kwarg):
        return self.clear(
            dict(cmd="runner", fun=fun, kwarg=kwarg, key=self.key, user=self.user),
            timeout,
        )

    def close(self):
        self.req.close()
