"""A fake Kubernetes API server for some pods; `exec` runs the program on this machine.

Made from the public OpenAPI description (v1 `Pod`, `PodList`, `Status`, `EventList`) and the documentation
of the protocol `v5.channel.k8s.io`. It speaks HTTPS, requires a token and records its requests in `requests`.
"""

import base64
import hashlib
import http.server
import json
import pathlib
import ssl
import struct
import subprocess
import threading
import urllib.parse

from tests.support.servers import POLL_INTERVAL

TOKEN = "token-of-the-tests"
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def pod(namespace, name, labels, *, phase="Running", owners=()):
    """Return a v1 Pod."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": namespace, "name": name, "labels": labels, "ownerReferences": list(owners)},
        "spec": {"nodeName": "node-1", "containers": [{"name": "main", "image": "nginx:1.27"}]},
        "status": {"phase": phase, "podIP": "10.1.0.7", "podIPs": [{"ip": "10.1.0.7"}, {"ip": "fd00::7"}]},
    }


class ApiServer:
    """The fake server in a thread; `with ApiServer(directory) as server`."""

    def __init__(self, directory, *, protocol="v5.channel.k8s.io"):
        self.directory = pathlib.Path(directory)
        self.protocol = protocol
        self.pods = {}
        self.requests = []
        controller = {"kind": "ReplicaSet", "name": "web", "controller": True}
        for one in (
            pod("shop", "web-0", {"app": "web"}, owners=[controller]),
            pod("shop", "web-1", {"app": "web"}),
            pod("shop", "cache-0", {"app": "cache"}),
            pod("shop", "web-2", {"app": "web"}, phase="Pending"),
        ):
            self.pods[one["metadata"]["namespace"], one["metadata"]["name"]] = one
        self.ca_file = self.directory / "ca.crt"
        key = self.directory / "server.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
            + ["-keyout", str(key), "-out", str(self.ca_file), "-days", "2", "-subj", "/CN=api"]
            + ["-addext", "subjectAltName=IP:127.0.0.1"],
            check=True,
            capture_output=True,
        )
        handler = type("Bound", (_Handler,), {"api": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.ca_file, key)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=[POLL_INTERVAL])

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_GET(self):
        self._answer("GET")

    def do_DELETE(self):
        self._answer("DELETE")

    def _answer(self, method):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        parts = url.path.strip("/").split("/")
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size)) if size else None
        self.api.requests.append((method, url.path, query, body))
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self._status(401, "Unauthorized", "Unauthorized")
        elif parts[-1] == "pods":
            self._json({"kind": "PodList", "metadata": {}, "items": list(self._selected(parts, query))})
        elif parts[-1] == "events":
            self._json({"kind": "EventList", "items": [{"type": "Normal", "reason": "Started", "count": 1}]})
        else:
            self._of_pod(method, parts, query)

    def _selected(self, parts, query):
        wanted = dict(
            word.split("=", 1) for word in query.get("labelSelector", [""])[0].split(",") if "=" in word
        )
        for (namespace, _), one in self.api.pods.items():
            labels = one["metadata"]["labels"]
            if (
                ("namespaces" not in parts or namespace == parts[3])
                and wanted.items() <= labels.items()
                and (
                    query.get("fieldSelector") != ["status.phase=Running"]
                    or one["status"]["phase"] == "Running"
                )
            ):
                yield one

    def _of_pod(self, method, parts, query):
        namespace, name, below = parts[3], parts[5], parts[6] if len(parts) > 6 else ""
        one = self.api.pods.get((namespace, name))
        if one is None:
            self._status(404, "NotFound", f'pods "{name}" not found')
        elif below == "exec":
            self._exec(query)
        elif below == "log":
            lines = [f"line {number}" for number in range(5)]
            self._send("\n".join(lines[-int(query.get("tailLines", ["5"])[0]) :]).encode(), "text/plain")
        else:
            if method == "DELETE":
                del self.api.pods[namespace, name]
            self._json(one)

    def _exec(self, query):
        offered = self.headers["Sec-WebSocket-Protocol"].replace(" ", "").split(",")
        assert self.api.protocol in offered
        accept = base64.b64encode(hashlib.sha1(self.headers["Sec-WebSocket-Key"].encode() + MAGIC).digest())
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", accept.decode())
        self.send_header("Sec-WebSocket-Protocol", self.api.protocol)
        self.end_headers()
        given = self._stdin() if query.get("stdin") else b""
        try:
            done = subprocess.run(
                query["command"], input=given, capture_output=True, cwd=self.api.directory, check=False
            )
            status = self._ended(done.returncode)
        except FileNotFoundError as exc:
            done, status = (
                None,
                {"status": "Failure", "message": f"exec failed: {exc}", "reason": "InternalError"},
            )
        if done is not None:
            self._frame(9, b"are you there")
            for channel, data in ((1, done.stdout), (2, done.stderr)):
                # In pieces, some of them fragments, as a server may send them.
                for start in range(0, len(data), 70_000):
                    self._frame(2, bytes([channel]) + data[start : start + 70_000][:10], last=False)
                    self._frame(0, data[start : start + 70_000][10:])
        self._frame(2, b"\x03" + json.dumps(status).encode())
        self._frame(8, struct.pack(">H", 1000))
        # What the client still says is read, or the kernel would throw away what it has not read yet.
        self.rfile.read()
        self.close_connection = True

    @staticmethod
    def _ended(code):
        if not code:
            return {"metadata": {}, "status": "Success"}
        return {
            "metadata": {},
            "status": "Failure",
            "message": f"command terminated with non-zero exit code: exit status {code}",
            "reason": "NonZeroExitCode",
            "details": {"causes": [{"reason": "ExitCode", "message": str(code)}]},
        }

    def _stdin(self):
        data = b""
        while True:
            first, second = self.rfile.read(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", self.rfile.read(2))
            assert second & 0x80, "a client's frames are masked"
            mask, body = self.rfile.read(4), self.rfile.read(size)
            body = bytes(byte ^ mask[number % 4] for number, byte in enumerate(body))
            if first & 0x0F == 2 and body == b"\xff\x00":
                return data
            if first & 0x0F == 2:
                data += body[1:]

    def _frame(self, kind, data, *, last=True):
        size = len(data)
        head = bytes([(0x80 if last else 0) | kind])
        if size < 126:
            head += bytes([size])
        elif size < 1 << 16:
            head += struct.pack(">BH", 126, size)
        else:
            head += struct.pack(">BQ", 127, size)
        self.wfile.write(head + data)

    def _status(self, code, reason, message):
        value = {"kind": "Status", "status": "Failure", "message": message, "reason": reason, "code": code}
        self._json(value, code=code)

    def _json(self, value, *, code=200):
        self._send(json.dumps(value).encode(), "application/json", code=code)

    def _send(self, data, kind, *, code=200):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
