"""Requests to a web server: one query, or repeated queries until success.

Shapes: the return has `body`, and `error` on failure; the options `status`, `headers` and `text` add
items of the same names, and `decode` adds the decoded body as `dict`.
"""

from __future__ import annotations

import base64
import time
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

import salt_g
from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError
from salt_g.modules.http.answer import Answer
from salt_g.modules.http.options import Options, options_of


def query(url: str, **kwargs: Any) -> dict[str, Any]:
    """Send a request and return the response.

    Request: `method` (GET), `params` (of the URL), `data` (a text, or a mapping as a form), `data_file`,
    `header_dict`, `header_list`, `header_file`, `username` and `password`, `agent`; the files are rendered
    with `data_render`, `header_render` and `template_dict`. Response: `body`; `status`, `headers` and `text`
    add items of these names, and `decode` adds the data of a json, xml or yaml body (`decode_type`) as
    `dict`. `text_out` and `headers_out` are files to write the body and the headers to; `decode_out` is
    another file for the body, written with `decode`. `verify_ssl`, `ca_bundle` and `cert` apply to https. A
    status of 400 and above is an `error` unless `raise_error` is False. `test` sends nothing, or sends the
    request to `test_url`.

    Example::

        salt-g http.query https://www.example.com/ status=True
    """
    options = options_of(kwargs)
    if options.test and options.test_url is None:
        return {}
    answer = Answer(options)
    verify_ssl = opts.get("verify_ssl", True) if options.verify_ssl is None else options.verify_ssl
    if answer.fetch(
        _request(options.test_url or url if options.test else url, options),
        verify_ssl=bool(verify_ssl),
        ca_bundle=options.ca_bundle or opts.get("ca_bundle"),
        cert=options.cert or opts.get("cert"),
    ):
        answer.show()
    return {"test": True, **answer.result} if options.test else answer.result


def wait_for_successful_query(url: str, wait_for: float = 300, **kwargs: Any) -> dict[str, Any]:
    """Repeat a query until it succeeds, at most for `wait_for` seconds; return the last response.

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


def _request(url: str, options: Options) -> urllib.request.Request:
    """Build the request from the options; raise CommandExecutionError for an invalid URL."""
    if options.params:
        url += ("&" if "?" in url else "?") + urllib.parse.urlencode(options.params)
    try:
        request = urllib.request.Request(url, data=_body(options), method=options.method)
    except ValueError as exc:
        raise CommandExecutionError(f"{url!r} is not a URL: {exc}") from exc
    for name, value in _headers(options).items():
        request.add_header(name, value)
    request.add_header("User-agent", options.agent or f"salt-g/{salt_g.__version__} http.query()")
    if options.username is not None and options.password is not None:
        secret = base64.b64encode(f"{options.username}:{options.password}".encode()).decode()
        request.add_header("Authorization", f"Basic {secret}")
    return request


def _body(options: Options) -> Any:
    data = options.data
    if options.data_file is not None:
        renderer = options.data_renderer or "jinja"
        data = _from_file(options.data_file, renderer if options.data_render else "", options.template_dict)
    if isinstance(data, Mapping):
        data = urllib.parse.urlencode(data)
    return data.encode() if isinstance(data, str) else data


def _headers(options: Options) -> dict[str, str]:
    """Return the headers by name; lines take precedence over mappings."""
    named: dict[str, Any] = dict(options.header_dict or {})
    lines = list(options.header_list or ())
    if options.header_file is not None:
        renderer = options.header_renderer or "jinja"
        content = _from_file(
            options.header_file, renderer if options.header_render else "", options.template_dict
        )
        if isinstance(content, Mapping):
            named.update(content)
        else:
            lines += str(content).splitlines()
    for name, _, value in (line.partition(":") for line in lines if ":" in line):
        named[name.strip()] = value.strip()
    return {name: str(value) for name, value in named.items()}


def _from_file(url: str, pipe: str, variables: Mapping[str, Any] | None) -> Any:
    """Return the text of a file at any URL, rendered through `pipe` if given."""
    cached = services().files.cache_file(url)
    if not cached:
        raise CommandExecutionError(f"file {url!r} does not exist")
    with open(cached, encoding="utf-8") as file:
        content = file.read()
    return services().render.render_text(content, pipe=pipe, **(variables or {})) if pipe else content
