"""Every exception class of salt-g.

    SaltGError
    ├── ConfigError            settings that cannot be used; carries all problems at once
    ├── NoCallContext          a plugin asked for its call outside of one
    ├── NoSuchFunction         (KeyError) a function name that no plugin serves
    │   └── NotOffered         what the call is for (a type of resources) does not offer it
    ├── PluginError            a plugin file that cannot be loaded
    ├── InvocationError        (TypeError) a function called with wrong arguments
    │   └── UnknownKeywords    keywords that the function does not take
    ├── CommandExecutionError  a function could not do its work; the text is for the user
    │   ├── CommandNotFound    (FileNotFoundError) a program that is not on this machine
    │   └── CommandTimeout     a program that ran longer than it may
    ├── RenderError            SLS or template text that cannot be rendered
    │   └── YamlError          text that is not YAML; carries line and column
    ├── CompileError           what an SLS author can repair; carries all messages of one compile
    ├── PillarError            pillar that did not compile; carries its `_errors`
    ├── FileServerError        a file that the file server refuses or cannot read
    ├── TargetError            a target expression that cannot be parsed
    ├── StoreError             the embedded store cannot read or keep something; says which file
    │   ├── StoreBusy          its queue is full; the same can be handed over again later
    │   └── StoreTooNew        its file was made by a newer salt-g
    ├── ClientError            a program could not get what it asked the master for
    │   ├── MasterUnreachable  nobody serves the master's sockets, or nobody answers there
    │   ├── AuthenticationError who asks could not prove who they are
    │   └── AuthorizationError who asks may not do that
    ├── KeysError              a directory of keys that cannot be used as it is
    │   └── KeysUnavailable    what is on file cannot be read now: neither yes nor no
    ├── AuthModuleError        external authentication that cannot be asked; says what to do
    ├── PrivilegeError         (PermissionError) a user whom this process cannot become
    ├── UnsafeMember           (ValueError) a member that would leave the directory of its archive
    └── WireError              bytes or loads from a peer that break the protocol; carries the answer
        ├── SealBroken         what was not sealed under the key we hold: time to sign in again
        ├── SignInRefused      a master that does not let us in (yet); says why
        ├── MasterNotTrusted   a master that did not prove to be ours
        └── NoReply            (TimeoutError) a peer that did not answer in time
            └── NoTurn         all connections to it were in use by others

Users' modules catch stock's names; `CommandExecutionError` and `InvocationError` are the
classes behind stock's `CommandExecutionError` and `SaltInvocationError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class SaltGError(Exception):
    """The root of everything that salt-g raises on purpose."""


class ConfigError(SaltGError):
    """Settings that cannot be used; `problems` holds one line for each, with file and line."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


class NoCallContext(SaltGError):
    """A plugin reached for its call (grains, pillar, functions) while no call is running."""

    def __init__(self) -> None:
        super().__init__("no call is running here; enter one with salt_g.api.use(context)")


class NoSuchFunction(SaltGError, KeyError):
    """No plugin serves this name; `reason` says why, `nearest` what was perhaps meant.

    A KeyError, because function tables are mappings and plugins ask them as such.
    """

    def __init__(self, name: str, *, reason: str = "", nearest: Sequence[str] = ()) -> None:
        self.name = name
        self.reason = reason
        self.nearest = list(nearest)
        super().__init__(name)

    def __str__(self) -> str:
        return self.reason or f"'{self.name}' is not available."


class NotOffered(NoSuchFunction):
    """What a call is for does not offer this function; `text` says so, and what helps."""

    def __init__(self, name: str, text: str) -> None:
        self.text = text
        super().__init__(name)

    def __str__(self) -> str:
        return self.text


class PluginError(SaltGError):
    """A plugin file that cannot be loaded."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}")


class InvocationError(SaltGError, TypeError):
    """A function was called with arguments that it cannot work with (stock: SaltInvocationError)."""


# Tracebacks stand in state returns, where users and tools know the class by stock's name.
InvocationError.__qualname__ = "SaltInvocationError"


class UnknownKeywords(InvocationError):
    """A function was called with keywords that it does not take; `nearest` are ones that it does."""

    def __init__(self, unknown: Mapping[str, object], *, nearest: Sequence[str] = ()) -> None:
        self.unknown = dict(unknown)
        self.nearest = list(nearest)
        given = ", ".join(f"{name}={value}" for name, value in unknown.items())
        super().__init__(f"The following keyword arguments are not valid: {given}")


class CommandExecutionError(SaltGError):
    """A function could not do its work; the message is what the user reads.

    `info` is data about it for a program or a state to show below the message: in a failed
    package run `{"errors": [...], "changes": {...}}`.
    """

    def __init__(self, message: object = "", info: Any = None) -> None:
        self.info = info
        super().__init__(message)


class CommandNotFound(CommandExecutionError, FileNotFoundError):
    """A program that a function needs is not on this machine."""


class CommandTimeout(CommandExecutionError):
    """A program ran longer than it was allowed to; `seconds` says how long that was."""

    def __init__(self, command: str, seconds: float, *, pid: int = 0) -> None:
        self.command = command
        self.seconds = seconds
        self.pid = pid
        super().__init__(f"command {command!r} did not end within {seconds:g} s and was killed")


class RenderError(SaltGError):
    """SLS or template text that cannot be rendered; the message is stock's, context included.

    `path` names the file (or '' ), `line` counts from 1 in the text of that file (0 when
    unknown), `context` is the excerpt of the text with the line marked.
    """

    def __init__(self, message: str, *, path: str = "", line: int = 0, context: str = "") -> None:
        self.path = path
        self.line = line
        self.context = context
        super().__init__(message)


class YamlError(RenderError):
    """Text that is not YAML; `line` and `column` count from 1, 0 when unknown.

    `problem` is the parser's sentence without places; `stage` says which step found it:
    `read`, `scan`, `parse`, `compose` or `construct`.
    """

    def __init__(
        self, message: str, *, line: int = 0, column: int = 0, problem: str = "", stage: str = ""
    ) -> None:
        self.column = column
        self.problem = problem or message
        self.stage = stage
        super().__init__(message, line=line)


class CompileError(SaltGError):
    """What an SLS author can repair; `messages` holds everything found in one compile.

    `places` are the files (and lines) of those findings that have one, as texts.
    """

    def __init__(self, messages: Sequence[str], places: Sequence[str] = ()) -> None:
        self.messages = list(messages)
        self.places = list(places)
        super().__init__("\n".join(self.messages))


class PillarError(SaltGError):
    """Pillar that did not compile; `messages` is what stock calls `_errors`."""

    def __init__(self, messages: Sequence[str]) -> None:
        self.messages = list(messages)
        super().__init__("\n".join(self.messages))


class FileServerError(SaltGError):
    """A file that the file server refuses or cannot read."""


class TargetError(SaltGError):
    """A target expression that cannot be parsed."""


class StoreError(SaltGError):
    """The embedded store cannot read or keep something; `problem` says what and what to do."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"store {path}: {problem}")


class StoreBusy(StoreError):
    """The queue in front of the store is full; the same can be handed over again later."""


class StoreTooNew(StoreError):
    """The file of the store was made by a newer salt-g and is left as it is."""


class ClientError(SaltGError):
    """A program could not get what it asked the master for."""


class MasterUnreachable(ClientError):
    """Nobody serves the master's sockets on this machine, or nobody answers there in time."""


class AuthenticationError(ClientError):
    """Who asks the master could not prove who they are."""


class AuthorizationError(ClientError):
    """Who asks the master may not do what they asked for."""


class KeysError(SaltGError):
    """A directory of keys, or a key in it, that cannot be used as it is."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"{path}: {problem}")


class KeysUnavailable(KeysError):
    """What a decision about a key hangs on cannot be read now; it is neither there nor missing."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(path, f"cannot be read now: {error.strerror or error}")


class AuthModuleError(SaltGError):
    """A module of external authentication that cannot check anybody as it is set up."""

    def __init__(self, module: str, problem: str) -> None:
        super().__init__(f"authentication module {module}: {problem}")


class PrivilegeError(SaltGError, PermissionError):
    """A user whom this process cannot become; the text says why and what to do."""

    def __init__(self, user: str, problem: str) -> None:
        self.user = user
        super().__init__(f"user {user!r}: {problem}")


class UnsafeMember(SaltGError, ValueError):
    """A member of an archive that would land, or lead, outside of the directory that it is unpacked to."""

    def __init__(self, name: str, directory: str) -> None:
        self.name = name
        super().__init__(f"{name!r} in the archive points outside of {directory}")


class WireError(SaltGError):
    """Bytes or loads from a peer that break the protocol.

    `answer` is what a server sends back: one of the protocol's refusals, text or a small map.
    """

    def __init__(self, message: str, *, answer: Any = "bad load") -> None:
        self.answer = answer
        super().__init__(message)


class SealBroken(WireError):
    """A message that was not sealed under the key we hold; perhaps the key was replaced."""


class SignInRefused(WireError):
    """A master that does not let us in.

    `reason` is `pending`, `rejected`, `full`, or the master's word for what it did not understand;
    `proven` says whether the refusal was signed by the master that we know.
    """

    def __init__(self, reason: str, *, proven: bool) -> None:
        self.reason = reason
        self.proven = proven
        super().__init__(f"the master refused the sign-in: {reason!r}")


class MasterNotTrusted(WireError):
    """A master that did not prove to be the one that this minion knows."""


class NoReply(WireError, TimeoutError):
    """A peer that did not answer; `seconds` says how long it was waited for."""

    def __init__(self, peer: str, seconds: float) -> None:
        self.peer = peer
        self.seconds = seconds
        super().__init__(f"{peer} did not answer within {seconds:g} s")


class NoTurn(NoReply):
    """A peer that was not asked: others had all connections to it for `seconds`."""

    def __init__(self, peer: str, seconds: float) -> None:
        super().__init__(peer, seconds)
        self.args = (f"{peer} was not asked, all connections to it were in use for {seconds:g} s",)
