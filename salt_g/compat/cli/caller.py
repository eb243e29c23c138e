"""Stock's `salt.cli.caller`: one call as by `salt-call`, from settings with `fun` and `arg`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from salt_g.compat.minion import SMinion
from salt_g.data import jid
from salt_g.loader.arguments import parse_words
from salt_g.output import registry


class Caller:
    """One call; `opts` are a minion's settings with `fun` and `arg`, a list of command line arguments."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self.minion = SMinion(opts)
        self.opts = self.minion.opts

    @classmethod
    def factory(cls, opts: Mapping[str, Any], **stock: Any) -> Caller:
        """Return a Caller for these settings."""
        return cls(opts)

    def call(self) -> dict[str, Any]:
        """Run the function; return {return, retcode, jid, fun, fun_args, id}."""
        words = list(self.opts.get("arg") or ())
        args, kwargs = parse_words([word for word in words if isinstance(word, str)])
        args += [word for word in words if not isinstance(word, str)]
        number = jid.make()
        value, retcode = self.minion.run(str(self.opts["fun"]), args, kwargs, number)
        about = {"jid": number, "fun": self.opts["fun"], "fun_args": words, "id": self.opts.get("id")}
        return {**about, "return": value, "retcode": retcode}

    def run(self) -> None:
        """Run the function and print its value."""
        done = self.call()
        out = self.opts.get("output") or "nested"
        print(registry.render(str(out), {"local": done["return"]}, self.opts, retcode=done["retcode"]))

    def print_docs(self) -> None:
        """Print the documentation of the function `fun`, or of all functions if `fun` is a module."""
        wanted = str(self.opts.get("fun") or "")
        names = [name for name in self.minion.functions if name == wanted or name.startswith(f"{wanted}.")]
        for name in names:
            print(f"{name}:\n{inspect.getdoc(self.minion.functions[name]) or ''}\n")

    def print_grains(self) -> None:
        """Print the grains of this machine."""
        print(registry.render(str(self.opts.get("output") or "grains"), self.opts["grains"], self.opts))


BaseCaller = ZeroMQCaller = Caller

__all__ = ["BaseCaller", "Caller", "ZeroMQCaller"]
