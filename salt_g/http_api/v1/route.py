"""Routes of /v1 as values: method, path, parameters, body, answer and right, for the router and the document.

Shapes: a path has names in braces that each match one segment: `/minions/{id}`, `/keys/{id}:accept`. A schema
is a JSON Schema; schemas of answers and bodies refer to components (`schemas.py`).
Errors: Refusal with 400 for an unknown or invalid parameter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from salt_g.http_api.api_services import Answer, ApiServices
from salt_g.http_api.messages import Refusal, Request, Response
from salt_g.http_api.orders import OrderClient
from salt_g.http_api.sessions import LoginSession

Schema = Mapping[str, Any]
#: Maximum length of a parameter (characters).
MAX_TEXT = 1000
_DIGITS = re.compile(r"[0-9]{1,9}")
_NAME = re.compile(r"\{(\w+)\}")


class Parameter(NamedTuple):
    """Query parameter; a number has bounds, a text has a maximum length."""

    name: str
    about: str
    default: Any = ""
    maximum: int = 0
    is_flag: bool = False
    choices: tuple[str, ...] = ()
    minimum: int = 1
    is_needed: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """The parameter's JSON Schema."""
        if self.is_flag:
            return {"type": "boolean", "default": False}
        if self.maximum:
            return {
                **{"type": "integer", "minimum": self.minimum},
                **{"maximum": self.maximum, "default": self.default},
            }
        shown: dict[str, Any] = {"type": "string", "maxLength": MAX_TEXT}
        if self.is_needed:
            shown["minLength"] = 1
        return {**shown, "enum": list(self.choices)} if self.choices else shown

    def read(self, text: str | None) -> Any:
        """Parse the text of the parameter (None: not sent); raise Refusal if it is missing or invalid."""
        if self.is_needed and not text:
            raise Refusal(400, f"{self.name} is missing; it is {self.about}")
        if text is None:
            return False if self.is_flag else self.default
        if self.is_flag:
            if text not in ("true", "false"):
                raise Refusal(400, f"{self.name} must be true or false, not {text[:50]!r}")
            return text == "true"
        if self.maximum:
            if not _DIGITS.fullmatch(text) or not self.minimum <= int(text) <= self.maximum:
                bounds = f"{self.minimum} to {self.maximum}"
                raise Refusal(400, f"{self.name} must be a number from {bounds}, not {text[:50]!r}")
            return int(text)
        if len(text) > MAX_TEXT:
            raise Refusal(400, f"{self.name} must not exceed {MAX_TEXT} characters")
        if self.choices and text not in self.choices:
            raise Refusal(400, f"{self.name} must be one of {', '.join(self.choices)}, not {text[:50]!r}")
        return text or self.default


def limit(default: int, maximum: int) -> Parameter:
    """Return the parameter for the page size."""
    return Parameter("limit", "number of entries per page", default, maximum)


AFTER = Parameter("after", "continue after this entry: `next` of the previous page")


class Called(NamedTuple):
    """Request as passed to a handler: values of the names in the path, parameters, body data, session."""

    parts: ApiServices
    request: Request
    names: Mapping[str, str]
    query: Mapping[str, Any]
    data: Any
    session: LoginSession | None

    @property
    def user(self) -> LoginSession:
        """The session, on a route that requires one."""
        assert self.session is not None
        return self.session

    @property
    def client(self) -> OrderClient:
        """The sender of orders in this session."""
        return OrderClient({"token": self.user.token}, self.request.source)

    def ask(self, cmd: str, **fields: Any) -> Any:
        """Send a query to the master for this user and return the reply; raise Refusal if that fails."""
        load = {"cmd": cmd, "token": self.user.token, **fields}
        reply = self.parts.orders.ask(load, self.request.source)
        if not isinstance(reply, dict):
            raise Refusal(503, "the master does not know this request; does it run this version of salt-g?")
        if "refused" in reply:
            raise Refusal(401 if reply.get("needs") == "login" else 403, str(reply["refused"]))
        if "error" in reply:
            raise Refusal(400, str(reply["error"]))
        return reply


Handler = Callable[[Called], Answer | Response]


class V1Route:
    """Route for one method of one path."""

    def __init__(
        self,
        method: str,
        path: str,
        handler: Handler,
        about: str,
        *,
        answer: Schema,
        right: str,
        takes: tuple[Parameter, ...] = (),
        body: Schema | None = None,
        status: int = 200,
        kind: str = "application/json",
        is_open: bool = False,
        refuses: tuple[int, ...] = (),
    ) -> None:
        """Initialize; `right` describes the required right, `refuses` are additional error statuses."""
        self.method = method
        self.path = path
        self.handler = handler
        self.about = about
        self.answer = answer
        self.right = right
        self.takes = takes
        self.body = body
        self.status = status
        self.kind = kind
        self.is_open = is_open
        self.refuses = refuses

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The path as a regular expression, in which a name matches one segment."""
        parts = re.split(r"(\{\w+\})", self.path)
        return re.compile(
            "".join(
                rf"(?P<{part[1:-1]}>[^/]{{1,{MAX_TEXT}}}?)" if part.startswith("{") else re.escape(part)
                for part in parts
            )
        )

    @property
    def is_action(self) -> bool:
        """Whether the path ends with an action, as in `/keys/{id}:accept`."""
        return "}:" in self.path

    @property
    def names(self) -> list[str]:
        """Names in the path."""
        return _NAME.findall(self.path)

    def read_query(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of all parameters; raise Refusal for an unknown one."""
        known = {one.name for one in self.takes}
        unknown = sorted(query.keys() - known - {"token"})
        if unknown:
            some = ", ".join(sorted(known)) or "none"
            raise Refusal(400, f"unknown parameter {unknown[0][:50]!r}; this route accepts {some}")
        return {one.name: one.read(query.get(one.name)) for one in self.takes}
