"""Base class of the runner and wheel clients, whose functions run on the master itself.

Both send a clear command; a wheel function's value is in the reply, a runner function's in its last event.
Shapes: `low` is {"fun", "arg"?: list, "kwarg"?: dict, and credentials}; other names are keyword arguments.
Units: seconds.
Errors: MasterUnreachable, AuthenticationError, AuthorizationError, ClientError.
"""

from __future__ import annotations

import abc
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.client.base_client import BaseClient
from salt_g.client.link import Link, MasterEvent
from salt_g.client.publishing import error_of
from salt_g.errors import ClientError, MasterUnreachable

if TYPE_CHECKING:
    from salt_g.shapes import Arguments, CallArguments, Opts, OptsDraft
    from salt_g.shapes.loads import Answers, CallLow, Load

#: Timeout of a synchronous call, like stock's setting `rest_timeout`.
TIMEOUT = 300.0
#: Timeout for the start of a call.
START_TIMEOUT = 60.0
#: Names in `low` that carry credentials.
_AUTH = ("username", "password", "eauth", "token", "key")


class MasterCalls(BaseClient, abc.ABC):
    """Client for one kind of functions on the master; lifecycle: created, used by one thread, `destroy`."""

    #: The clear command: `runner` or `wheel`.
    kind = ""
    #: Whether texts in `arg` are read as YAML, as on a command line; `name=value` is always a keyword.
    reads_words = True

    def __init__(
        self,
        opts: Opts | None = None,
        context: Any = None,
        *,
        link: Link | None = None,
        user: str | None = None,
    ) -> None:
        """Use the master with the settings `opts` (default: those of the config file), or `link`."""
        super().__init__(_settings() if opts is None else opts, link=link, user=user)

    @abc.abstractmethod
    def cmd_sync(self, low: CallLow, timeout: float | None = None, full_return: bool = False) -> Any:
        """Run a function; with `full_return`, return {"tag", "data": {"return", "success", "jid", ...}}."""

    def cmd(
        self,
        fun: str,
        arg: Iterable[Any] | None = None,
        pub_data: Mapping[str, Any] | None = None,
        kwarg: Mapping[str, Any] | None = None,
        print_event: bool = True,
        full_return: bool = False,
    ) -> Any:
        """Run a function and return its value or, with `full_return`, the data of its last event."""
        low = {**(pub_data or {}), "fun": fun, "arg": list(arg or ()), "kwarg": dict(kwarg or {})}
        done = self.cmd_sync(low, full_return=True)["data"]
        return done if full_return else done.get("return")

    def ask(self, low: CallLow, *, follow: bool, timeout: float = START_TIMEOUT) -> Answers:
        """Send the call and return the reply; raise the error that the reply contains, if any."""
        reply = self.link.ask(self.load_of(low), timeout=timeout, follow=follow)
        if isinstance(reply, dict) and reply.get("error"):
            raise error_of(reply["error"])
        if not isinstance(reply, dict) or "tag" not in reply:
            raise ClientError(f"malformed answer from the master to {self.kind} {low.get('fun')}")
        return reply

    def load_of(self, low: CallLow) -> Load:
        """Return the clear command of a call."""
        rest = dict(low)
        load = {"cmd": self.kind, "fun": rest.pop("fun"), "user": self.user}
        load.update({name: rest.pop(name) for name in _AUTH if name in rest})
        words, kwarg = rest.pop("arg", None) or (), rest.pop("kwarg", None) or {}
        args, kwargs = read_arguments(words, kwarg, reads_words=self.reads_words)
        for name in ("client", "user", "cmd"):
            rest.pop(name, None)
        return {**load, **self.packed(args, {**kwargs, **rest})}

    def packed(self, args: list[Any], kwargs: Arguments) -> Load:
        """Return the fields that carry the arguments."""
        return {"arg": args, "kwarg": kwargs}

    def events_of(self, tag: str, timeout: float) -> Iterator[MasterEvent]:
        """Yield the events of a call until it ends; raise MasterUnreachable on timeout."""
        deadline = time.monotonic() + timeout
        while True:
            event = self.link.next_event(deadline - time.monotonic())
            if event is None:
                raise MasterUnreachable(f"{tag} did not end within {timeout:g} s")
            if event.tag.startswith(tag):
                yield event
            if event.tag == f"{tag}/ret":
                return


def read_arguments(
    words: Iterable[Any], kwarg: Mapping[str, Any], *, reads_words: bool = True
) -> CallArguments:
    """Return arguments and keywords: texts like `name=value` in `words` are keywords.

    With `reads_words`, all other texts are read as YAML.
    """
    # Imported lazily: not needed by programs that pass keywords as such.
    from salt_g.loader.arguments import parse_words

    args: list[Any] = []
    kwargs: Arguments = {}
    for word in words:
        if isinstance(word, str):
            more, named = parse_words([word])
            args += more if reads_words else [word] * len(more)
            kwargs.update(named)
        elif isinstance(word, Mapping) and word.get("__kwarg__"):
            kwargs.update({name: value for name, value in word.items() if name != "__kwarg__"})
        else:
            args.append(word)
    kwargs.update({name: value for name, value in kwarg.items() if name != "__kwarg__"})
    return args, kwargs


def _settings() -> OptsDraft:
    from salt_g import config

    return config.load("master").opts
