"""Send a request to a web server and read its answer.

Shapes: the return has `body`; with the options of the same names `status`, `headers`, `text`;
with `decode` the decoded body as `dict`; and `error` when there was no good answer.
"""

from __future__ import annotations

import base64
import json
import logging
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.modules.http import decoding
from salt_g.modules.http.connection import open_request

import salt_g
from salt_g.api import opts, services
from salt_g.disk import write_whole
from salt_g.errors import CommandExecutionError

log = logging.getLogger(__name__)


def query(
    url: str,
    method: str = "GET",
    params: Mapping[str, Any] | None = None,
    data: Any = None,
    data_file: str | None = None,
    header_dict: Mapping[str, Any] | None = None,
    header_list: Iterable[str] | None = None,
    header_file: str | None = None,
    username: str | None = None,
    password: str | None = None,
    decode: bool = False,
    decode_type: str = "auto",
    status: bool = False,
    headers: bool = False,
    text: bool = False,
    data_render: bool = False,
    data_renderer: str | None = None,
    header_render: bool = False,
    header_renderer: str | None = None,
    template_dict: Mapping[str, Any] | None = None,
    test: bool = False,
    test_url: str | None = None,
    ca_bundle: str | None = None,
    verify_ssl: bool | None = None,
    cert: Any = None,
    text_out: str | None = None,
    headers_out: str | None = None,
    decode_out: str | None = None,
    agent: str | None = None,
    raise_error: bool = True,
    **kwargs: Any,
) -> dict[str, Any]:
    """Send a request and return what came back.

    `data` is a text, or a mapping that is sent as a form; `data_file` and `header_file` are
    read here and rendered if asked for. `decode_type` is json, xml, yaml or plain, by default
    what the answer says it is. A status of 400 and above is an `error` unless `raise_error` is
    False. `test` sends nothing, or asks `test_url`.

    Example::

        salt-g http.query https://www.example.com/ status=True
    """
    _note_unsupported(kwargs)
    if test and test_url is None:
        return {}
    if data_file is not None:
        data = _from_file(data_file, data_renderer or "jinja" if data_render else "", template_dict)
    from_file = _read_headers(header_file, header_renderer or "jinja" if header_render else "", template_dict)
    request = _request(test_url if test and test_url else url, method, params, data)
    for name, value in _headers(header_dict, header_list, from_file).items():
        request.add_header(name, value)
    _sign(request, agent, username, password)
    answer = _Answer(request, raise_error, want_status=status)
    answer.fetch(
        verify_ssl=bool(opts.get("verify_ssl", True) if verify_ssl is None else verify_ssl),
        ca_bundle=ca_bundle or opts.get("ca_bundle"),
        cert=cert or opts.get("cert"),
    )
    if not answer.is_good:
        return answer.result
    answer.show(status=status, headers=headers)
    is_plain = decode and answer.decode(decode_type) == "plain"
    if text or is_plain:
        answer.result["text"] = answer.body
    answer.write(text_out=text_out, headers_out=headers_out, decode_out=decode_out if decode else None)
    return {"test": True, **answer.result} if test else answer.result


def wait_for_successful_query(url: str, wait_for: float = 300, **kwargs: Any) -> dict[str, Any]:
    """Repeat a query until it succeeds, at most for `wait_for` seconds; return the last answer.

    `request_interval` is the pause between two queries, in seconds; the other arguments are
    those of `http.query`.

    Example::

        salt-g http.wait_for_successful_query http://example.com/ wait_for=160 request_interval=1
    """
    interval = float(kwargs.pop("request_interval", 0))
    end = time.monotonic() + wait_for
    while True:
        answer = query(url, **kwargs)
        if not answer.get("error") or time.monotonic() > end:
            return answer
        time.sleep(interval)


class _Answer:
    """What a server said to a request; `result` is what the user gets."""

    def __init__(self, request: urllib.request.Request, raise_error: bool, *, want_status: bool) -> None:
        self._request = request
        self._raise_error = raise_error
        self._want_status = want_status
        self.is_good = False
        self.result: dict[str, Any] = {}
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = ""

    def fetch(self, **options: Any) -> None:
        """Send the request and read all of the answer."""
        try:
            with open_request(self._request, **options) as answer:
                self._read(answer)
            self.is_good = True
        except urllib.error.HTTPError as exc:
            with exc:
                self._read(exc)
            self.is_good = not self._raise_error
            if self._raise_error:
                self.result = {"status": exc.code, "error": f"HTTP {exc.code}: {exc.reason}", **self.result}
        except OSError as exc:
            reason = exc.reason if isinstance(exc, urllib.error.URLError) else exc
            self.result = {**({"status": 0} if self._want_status else {}), "error": str(reason)}

    def show(self, *, status: bool, headers: bool) -> None:
        """Put the status code and the headers into the result."""
        if status:
            self.result["status"] = self.status
        if headers:
            self.result["headers"] = self.headers

    def decode(self, decode_type: str) -> str:
        """Put the decoded body into the result; return the type that it was decoded as."""
        if decode_type == "auto":
            decode_type = decoding.announced_type(self.headers)
        if decode_type not in decoding.TYPES:
            self.result["error"] = f"Invalid decode_type specified. Valid decode types are: {decoding.TYPES}"
            log.error("%s", self.result["error"])
        elif decode_type != "plain":
            self.result["dict"] = decoding.decode(self.body, decode_type)
        return decode_type

    def write(self, *, text_out: str | None, headers_out: str | None, decode_out: str | None) -> None:
        """Write parts of the answer to files."""
        parts = ((text_out, self.body), (headers_out, json.dumps(self.headers)), (decode_out, self.body))
        for path, content in parts:
            if path:
                write_whole(path, content)

    def _read(self, answer: Any) -> None:
        self.status = answer.status
        self.headers = dict(answer.headers.items())
        charset = answer.headers.get_content_charset() or "utf-8"
        self.body = answer.read().decode(charset, "replace")
        self.result["body"] = self.body


def _note_unsupported(options: Mapping[str, Any]) -> None:
    for name in options:
        if not name.startswith("__"):
            log.warning("http.query: the option %r has no effect", name)


def _request(url: str, method: str, params: Mapping[str, Any] | None, data: Any) -> urllib.request.Request:
    if params:
        url += ("&" if "?" in url else "?") + urllib.parse.urlencode(params)
    if isinstance(data, Mapping):
        data = urllib.parse.urlencode(data)
    body = data.encode() if isinstance(data, str) else data
    try:
        return urllib.request.Request(url, data=body, method=method)
    except ValueError as exc:
        raise CommandExecutionError(f"{url!r} is not a URL: {exc}") from exc


def _headers(
    by_name: Mapping[str, Any] | None, lines: Iterable[str] | None, from_file: Mapping[str, Any] | list[str]
) -> dict[str, str]:
    if isinstance(from_file, Mapping):
        by_name = {**(by_name or {}), **from_file}
    else:
        lines = [*(lines or ()), *from_file]
    pairs = (line.partition(":") for line in lines or () if ":" in line)
    named = {name: str(value) for name, value in (by_name or {}).items()}
    return {**named, **{name.strip(): value.strip() for name, _, value in pairs}}


def _sign(
    request: urllib.request.Request, agent: str | None, username: str | None, password: str | None
) -> None:
    """Say who asks."""
    request.add_header("User-agent", agent or f"salt-g/{salt_g.__version__} http.query()")
    if username is not None and password is not None:
        secret = base64.b64encode(f"{username}:{password}".encode()).decode()
        request.add_header("Authorization", f"Basic {secret}")


def _read_headers(
    path: str | None, pipe: str, variables: Mapping[str, Any] | None
) -> Mapping[str, Any] | list[str]:
    if path is None:
        return {}
    content = _from_file(path, pipe, variables)
    return content if isinstance(content, Mapping) else str(content).splitlines()


def _from_file(path: str, pipe: str, variables: Mapping[str, Any] | None) -> Any:
    """Return the text of a file of any URL, rendered through `pipe` if there is one."""
    cached = services().files.cache_file(path)
    if not cached:
        raise CommandExecutionError(f"file {path!r} does not exist")
    with open(cached, encoding="utf-8") as file:
        content = file.read()
    return services().render.render_text(content, pipe=pipe, **(variables or {})) if pipe else content
