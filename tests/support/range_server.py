"""A fake range server that knows a fixed set of expressions."""

from __future__ import annotations

import contextlib
import http.server
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote, urlsplit

from tests.support.servers import serving


@contextlib.contextmanager
def running_range_server(clusters: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Serve {expression: names} for the duration of the block; yield `HOST:PORT`."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            expression = unquote(parts.query)
            known = parts.path == "/range/list" and expression in clusters
            body = "\n".join(clusters.get(expression, ())).encode()
            self.send_response(200)
            if not known:
                self.send_header("RangeException", f"NOCLUSTER {expression}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            """Log nothing, to keep the test's output clean."""

    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        yield f"127.0.0.1:{server.server_address[1]}"
