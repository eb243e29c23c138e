"""Exception classes of salt-g.

    SaltGError
    ├── ConfigError            invalid settings; carries all problems at once
    ├── NoCallContext          a plugin used its call context outside of a call
    ├── NoSuchFunction         (KeyError) unknown function name
    │   └── NotOffered         function not offered in this call (resource type, whitelist_modules)
    ├── PluginError            a plugin file that cannot be loaded
    ├── InvocationError        (TypeError) a function called with wrong arguments
    │   └── UnknownKeywords    keywords that the function does not accept
    ├── CommandExecutionError  a function failed; the text is for the user
    │   ├── CommandNotFound    (FileNotFoundError) a program that is not installed
    │   └── CommandTimeout     a program that exceeded its time limit
    ├── RenderError            SLS or template text that cannot be rendered
    │   └── YamlError          invalid YAML; carries line and column
    ├── CompileError           errors for an SLS author to fix; carries all messages of one compile
    ├── PillarError            pillar that did not compile; carries its `_errors`
    ├── PlanRefused            a plan that is not applied
    ├── FileServerError        a file that the file server refuses or cannot read
    ├── TargetError            a target expression that cannot be parsed
    ├── RosterError            a list of hosts that cannot be read
    ├── StoreError             the store cannot be read or written; says which one
    │   ├── ClusterRefused     this master may not join the cluster of the store
    │   ├── CommitsLost        the cluster's database has lost confirmed commits
    │   ├── StoreBusy          its queue is full; the write may be retried later
    │   ├── StoreFilled        it has data of minions that are not a trial's
    │   ├── StoreForeign       its tables are not salt-g's, or damaged
    │   ├── StoreInUse         another master writes to it
    │   └── StoreTooNew        its file was written by a newer salt-g
    ├── RunTaken               another master has taken over a run
    ├── ClientError            a request of a program to the master failed
    │   ├── MasterUnreachable  no daemon listens on the master's sockets, or it does not answer
    │   ├── AuthenticationError the caller could not be authenticated
    │   ├── AuthorizationError the caller is not permitted to do that
    │   ├── JobMalformed       the master cannot read a job: its target or a field
    │   └── JobLocked          locks refuse a job on its minions
    ├── KeysError              an unusable directory of keys
    │   └── KeysUnavailable    keys on file cannot be read now: neither present nor missing
    ├── AuthModuleError        an unusable module of external authentication; says what to do
    ├── PrivilegeError         (PermissionError) a user that this process cannot switch to
    │   └── UnknownUser        no user of that name
    ├── UnsafeMember           (ValueError) a member that would leave the directory of its archive
    └── WireError              bytes or loads from a peer that break the protocol; carries the answer
        ├── SealBroken         not sealed under our key: sign in again
        ├── SignInRefused      a master that refuses the sign-in (so far); has the reason
        ├── MasterNotTrusted   a master that did not prove its identity
        ├── TlsRefused         TLS failed: a certificate is not trusted, or the peer does not use TLS
        └── NoReply            (TimeoutError) a peer that did not answer in time
            ├── Disconnected   the peer closed the connection; the request may be sent again
            └── NoTurn         all connections to it were in use

Users' modules catch stock's names; `CommandExecutionError` and `InvocationError` are the classes behind
stock's `CommandExecutionError` and `SaltInvocationError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class SaltGError(Exception):
    """Base class of all errors of salt-g."""


class ConfigError(SaltGError):
    """Invalid settings; `problems` has one line for each, with file and line."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


class NoCallContext(SaltGError):
    """Access to the call context (grains, pillar, functions) outside of a call."""

    def __init__(self) -> None:
        super().__init__("no call is running here; enter one with salt_g.api.use(context)")


class NoSuchFunction(SaltGError, KeyError):
    """Unknown function name; `reason` says why, `nearest` lists similar names.

    A KeyError, because function tables are mappings and plugins use them as such.
    """

    def __init__(self, name: str, *, reason: str = "", nearest: Sequence[str] = ()) -> None:
        self.name = name
        self.reason = reason
        self.nearest = list(nearest)
        super().__init__(name)

    def __str__(self) -> str:
        return self.reason or f"'{self.name}' is not available."


class NotOffered(NoSuchFunction):
    """Function not offered in a call, for a resource type or by the settings; `text` has the reason."""

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
    """Call with invalid arguments (stock: SaltInvocationError)."""


# Tracebacks are part of state returns, where users and tools expect stock's name of the class.
InvocationError.__qualname__ = "SaltInvocationError"


class UnknownKeywords(InvocationError):
    """Call with unknown keywords; `nearest` lists similar keywords of the function."""

    def __init__(self, unknown: Mapping[str, object], *, nearest: Sequence[str] = ()) -> None:
        self.unknown = dict(unknown)
        self.nearest = list(nearest)
        given = ", ".join(f"{name}={value}" for name, value in unknown.items())
        super().__init__(f"The following keyword arguments are not valid: {given}")

    @property
    def advice(self) -> str:
        """Hint that names the nearest keywords, '' if none is similar."""
        return f"perhaps you meant: {', '.join(f'{name}=' for name in self.nearest)}" if self.nearest else ""


class CommandExecutionError(SaltGError):
    """Failure of a function; the message is for the user.

    `info` is additional data for callers; calls and states print it below the message. A failed installation
    of packages, for example, has `{"errors": [...], "changes": {...}}`.
    """

    def __init__(self, message: object = "", info: Any = None) -> None:
        self.info = info
        super().__init__(message)


class CommandNotFound(CommandExecutionError, FileNotFoundError):
    """Program that is required but not installed."""


class CommandTimeout(CommandExecutionError):
    """Program that was killed after its time limit of `seconds`."""

    def __init__(self, command: str, seconds: float, *, pid: int = 0) -> None:
        self.command = command
        self.seconds = seconds
        self.pid = pid
        super().__init__(f"command {command!r} did not end within {seconds:g} s and was killed")


class RenderError(SaltGError):
    """SLS or template text that cannot be rendered; the message is stock's, context included.

    `path` names the file ('' if unknown), `line` counts from 1 in its text (0 if unknown), `context` is the
    excerpt of the text with the line marked. `advice` says what is probably wrong, '' if nothing is known; it
    is not part of the message, so returns stay as stock's. `template` is the path and line of the imported
    template that failed, or None if the error is in the file's own text; `used_at` is the line of the file
    that uses the template, 0 if unknown.
    """

    template: tuple[str, int] | None = None
    used_at: int = 0

    def __init__(
        self, message: str, *, path: str = "", line: int = 0, context: str = "", advice: str = ""
    ) -> None:
        self.path = path
        self.advice = advice
        self.line = line
        self.context = context
        super().__init__(message)


class YamlError(RenderError):
    """Invalid YAML; `line` and `column` count from 1, 0 when unknown.

    `problem` is the parser's message without positions; `stage` is the step that found it: `read`,
    `scan`, `parse`, `compose` or `construct`. `opened` is the line of a quote,
    bracket or key that has no end.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int = 0,
        column: int = 0,
        problem: str = "",
        stage: str = "",
        opened: int = 0,
    ) -> None:
        self.column = column
        self.opened = opened
        self.problem = problem or message
        self.stage = stage
        super().__init__(message, line=line)


class CompileError(SaltGError):
    """Errors for an SLS author to fix; `messages` has all errors of one compile.

    `places` are the files (and lines) of those errors that have one, as texts.
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


class PlanRefused(SaltGError):
    """Plan that is not applied; the message says on which minion and why. Nothing was changed."""


class FileServerError(SaltGError):
    """A file that the file server refuses or cannot read."""


class TargetError(SaltGError):
    """A target expression that cannot be parsed."""


class RosterError(SaltGError):
    """Roster that cannot be read; says which file and what to do."""


class StoreError(SaltGError):
    """Failed read or write of the store; `problem` describes it and the remedy."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"store {path}: {problem}")


class StoreBusy(StoreError):
    """Full queue of the store; the write may be retried later."""


class StoreTooNew(StoreError):
    """Store file written by a newer salt-g, left unchanged."""


class StoreForeign(StoreError):
    """Store on a server whose schema has tables that are foreign or damaged; left unchanged."""


class StoreFilled(StoreError):
    """Store with data of other minions, where only the data of a trial's minions is allowed."""


class StoreInUse(StoreError):
    """Store on a server to which another master writes; `use` says where that master runs."""

    def __init__(self, path: str, use: str, remedy: str = "") -> None:
        self.use = use
        super().__init__(path, f"{use}; {remedy}" if remedy else use)


class ClusterRefused(StoreError):
    """Cluster of masters that this master may not join."""


class CommitsLost(StoreError):
    """Cluster database that has lost confirmed commits; its masters must restart."""


class RunTaken(SaltGError):
    """Run of this master that another master has taken over."""


class ClientError(SaltGError):
    """Failed request of a program to the master."""


class MasterUnreachable(ClientError):
    """Master that does not run on this machine, or that did not answer in time."""


class AuthenticationError(ClientError):
    """Caller that could not be authenticated."""


class AuthorizationError(ClientError):
    """Caller that is not permitted to do what it requested."""


class JobMalformed(ClientError):
    """Job that the master cannot read because its target or another field is malformed."""


class JobLocked(ClientError):
    """Job refused because of locks on some of its minions; the text names lock, owner, reason and end."""


class KeysError(SaltGError):
    """Unusable directory of keys, or unusable key in it."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"{path}: {problem}")


class KeysUnavailable(KeysError):
    """Unreadable keys on which a decision depends; they count as neither present nor missing."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(path, f"cannot be read now: {error.strerror or error}")


class AuthModuleError(SaltGError):
    """Module of external authentication that is misconfigured or unavailable."""

    def __init__(self, module: str, problem: str) -> None:
        super().__init__(f"authentication module {module}: {problem}")


class PrivilegeError(SaltGError, PermissionError):
    """User that this process cannot switch to; the text has the reason and the remedy."""

    def __init__(self, user: str, problem: str) -> None:
        self.user = user
        super().__init__(f"user {user!r}: {problem}")


class UnknownUser(PrivilegeError):
    """User that does not exist on this machine; has its own exit code."""


class UnsafeMember(SaltGError, ValueError):
    """Archive member that would be written, or would link, outside of the target directory."""

    def __init__(self, name: str, directory: str) -> None:
        self.name = name
        super().__init__(f"{name!r} in the archive points outside of {directory}")


class WireError(SaltGError):
    """Violation of the protocol by a peer.

    `answer` is sent back by a server: one of the protocol's refusals, a text or a small mapping.
    """

    def __init__(self, message: str, *, answer: Any = "bad load") -> None:
        self.answer = answer
        super().__init__(message)


class SealBroken(WireError):
    """Message that is not sealed under our key; the key may have been rotated."""


class SignInRefused(WireError):
    """Sign-in refused by the master.

    `reason` is `pending`, `rejected`, `full`, or the master's word for a malformed request; `proven`
    says whether the refusal was signed by the master that we know.
    """

    def __init__(self, reason: str, *, proven: bool) -> None:
        self.reason = reason
        self.proven = proven
        super().__init__(f"the master refused the sign-in: {reason!r}")


class MasterNotTrusted(WireError):
    """Master that did not prove to be the one that this minion knows."""


class TlsRefused(WireError):
    """Peer that is not trusted, does not trust us, or does not use TLS."""


class NoReply(WireError, TimeoutError):
    """Missing answer of a peer after `seconds`."""

    def __init__(self, peer: str, seconds: float) -> None:
        self.peer = peer
        self.seconds = seconds
        super().__init__(f"{peer} did not answer within {seconds:g} s")


class Disconnected(NoReply):
    """Request whose connection the peer has closed; it may be sent again."""

    def __init__(self, peer: str, seconds: float) -> None:
        super().__init__(peer, seconds)
        self.args = (
            f"{peer} has closed the connection; if it always does, give `transport` and `ssl` the values"
            " that the master has",
        )


class NoTurn(NoReply):
    """Request not sent: all connections to the peer were in use for `seconds`."""

    def __init__(self, peer: str, seconds: float) -> None:
        super().__init__(peer, seconds)
        self.args = (f"{peer} was not asked: all connections to it were in use for {seconds:g} s",)
