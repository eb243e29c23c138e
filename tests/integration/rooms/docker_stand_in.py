"""A fake Docker engine: its HTTP API on a UNIX socket, as far as the tests need it.

It keeps containers, images, networks and volumes in memory. Source: Docker Engine API v1.43.
"""

import http.server
import json
import re
import socketserver
import threading
import urllib.parse

from tests.support.servers import POLL_INTERVAL

VERSION = {"Version": "24.0.7", "ApiVersion": "1.43", "MinAPIVersion": "1.24", "Os": "linux", "Arch": "amd64"}


class Engine:
    """State of the engine; `offered` are the images in its registry."""

    def __init__(self):
        self.containers, self.networks, self.volumes, self.images = {}, {}, {}, {}
        self.offered = {"app:1": "sha256:" + "a" * 64, "app:2": "sha256:" + "b" * 64}
        self.count = 0

    def answer(self, method, path, query, body):
        """Return (status, data) for one request."""
        for (verb, pattern), handler in ROUTES.items():
            found = re.fullmatch(pattern, path)
            if verb == method and found:
                return handler(self, query, body, *map(urllib.parse.unquote, found.groups()))
        return 404, {"message": f"page not found: {method} {path}"}

    def container(self, name):
        return next(
            (each for each in self.containers.values() if name in (each["Id"], each["Name"][1:])), None
        )

    def image(self, name):
        full = name if ":" in name else f"{name}:latest"
        return next((key for key, tags in self.images.items() if name == key or full in tags), None)


def _container(handler):
    def check(engine, query, body, name):
        found = engine.container(name)
        return (
            handler(engine, query, body, found) if found else (404, {"message": f"No such container: {name}"})
        )

    return check


def create(engine, query, body):
    image = engine.image(body["Image"])
    if not image:
        return 404, {"message": f"No such image: {body['Image']}"}
    engine.count += 1
    key = f"{engine.count:064x}"
    name = query.get("name", f"made_{engine.count}")
    if engine.container(name):
        return 409, {"message": f"Conflict. The container name {name} is already in use"}
    config = {
        field: value for field, value in body.items() if field not in ("HostConfig", "NetworkingConfig")
    }
    engine.containers[key] = {
        "Id": key,
        "Name": f"/{name}",
        "Image": image,
        "Config": {"Hostname": key[:12], **config},
        "HostConfig": body.get("HostConfig") or {},
        "State": {"Running": False, "Paused": False, "Pid": 0},
        "NetworkSettings": {"Networks": {}, "Ports": {}},
    }
    return 201, {"Id": key, "Warnings": []}


def running(is_running):
    def change(engine, query, body, container):
        container["State"] = {"Running": is_running, "Paused": False, "Pid": 42 if is_running else 0}
        return 204, None

    return _container(change)


def logs(engine, query, body, container):
    """Return the command, in the single frame of a multiplexed stream."""
    text = " ".join(container["Config"].get("Cmd") or []).encode()
    return 200, b"\1\0\0\0" + len(text).to_bytes(4, "big") + text


def wait(engine, query, body, container):
    """Exit at once; the command `/bin/false` fails."""
    container["State"] = {"Running": False, "Paused": False, "Pid": 0}
    return 200, {"StatusCode": 1 if container["Config"].get("Cmd") == ["/bin/false"] else 0}


def kill(engine, query, body, container):
    container["signal"] = query.get("signal")
    return 204, None


def rename(engine, query, body, container):
    container["Name"] = f"/{query['name']}"
    return 204, None


def remove(engine, query, body, container):
    if container["State"]["Running"] and query.get("force") not in ("True", "true", "1"):
        return 409, {"message": "You cannot remove a running container"}
    del engine.containers[container["Id"]]
    return 204, None


def listed(engine, query, body):
    is_all = query.get("all") in ("1", "true", "True")
    return 200, [
        {"Id": each["Id"], "Names": [each["Name"]], "Image": each["Config"]["Image"]}
        for each in engine.containers.values()
        if is_all or each["State"]["Running"]
    ]


def pull(engine, query, body):
    name, tag = query["fromImage"], query.get("tag", "latest")
    # The engine takes a digest as the tag, and then leaves out a tag of the name.
    is_digest = tag.startswith("sha256:")
    tag = f"{re.sub(':[^:/]+$', '', name)}@{tag}" if is_digest else f"{name}:{tag}"
    if tag not in engine.offered:
        return 200, [{"error": f"manifest for {tag} not found"}]
    key = engine.offered[tag]
    is_new = key not in engine.images
    engine.images.setdefault(key, set()).add(tag)
    word = "Downloaded newer image" if is_new else "Image is up to date"
    progress = [{"status": "Pull complete", "id": key[7:19]}] if is_new else []
    return 200, [*progress, {"status": f"Status: {word} for {tag}"}]


def image(engine, query, body, name):
    key = engine.image(name)
    if not key:
        return 404, {"message": f"No such image: {name}"}
    return 200, _named(key, engine.images[key])


def remove_image(engine, query, body, name):
    key = engine.image(name)
    del engine.images[key]
    return 200, [{"Untagged": name}, {"Deleted": key}]


def images(engine, query, body):
    return 200, [_named(key, references) for key, references in engine.images.items()]


def _named(key, references):
    tags, digests = (sorted(each for each in references if ("@" in each) is kind) for kind in (False, True))
    return {"Id": key, "RepoTags": tags, "RepoDigests": digests}


def create_network(engine, query, body):
    ipam = body.get("IPAM") or {}
    about = {"Driver": body.get("Driver") or "bridge", "Internal": bool(body.get("Internal"))}
    engine.networks[body["Name"]] = {
        "Name": body["Name"],
        "Id": body["Name"] * 3,
        **about,
        "IPAM": {"Config": [{k: v for k, v in each.items() if v} for each in ipam.get("Config") or []]},
        "Labels": body.get("Labels") or {},
        "Containers": {},
    }
    return 201, {"Id": body["Name"] * 3}


def network(engine, query, body, name):
    found = engine.networks.get(name)
    return (200, found) if found else (404, {"message": f"network {name} not found"})


def remove_network(engine, query, body, name):
    del engine.networks[name]
    return 204, None


def connect(engine, query, body, name):
    container = engine.container(body["Container"])
    engine.networks[name]["Containers"][container["Id"]] = {"Name": container["Name"][1:]}
    container["NetworkSettings"]["Networks"][name] = {"Aliases": [], **(body.get("EndpointConfig") or {})}
    return 200, None


def disconnect(engine, query, body, name):
    container = engine.container(body["Container"])
    del engine.networks[name]["Containers"][container["Id"]]
    del container["NetworkSettings"]["Networks"][name]
    return 200, None


def create_volume(engine, query, body):
    engine.volumes[body["Name"]] = {"Name": body["Name"], "Driver": body.get("Driver") or "local"}
    return 201, engine.volumes[body["Name"]]


def remove_volume(engine, query, body, name):
    del engine.volumes[name]
    return 204, None


ROUTES = {
    ("GET", "/version"): lambda engine, query, body: (200, VERSION),
    ("GET", "/info"): lambda engine, query, body: (200, {"Name": "stand-in"}),
    ("GET", "/containers/json"): listed,
    ("POST", "/containers/create"): create,
    ("GET", "/containers/([^/]+)/json"): _container(lambda engine, query, body, it: (200, it)),
    ("POST", "/containers/([^/]+)/start"): running(True),
    ("GET", "/containers/([^/]+)/logs"): _container(logs),
    ("POST", "/containers/([^/]+)/wait"): _container(wait),
    ("POST", "/containers/([^/]+)/stop"): running(False),
    ("POST", "/containers/([^/]+)/kill"): _container(kill),
    ("POST", "/containers/([^/]+)/rename"): _container(rename),
    ("DELETE", "/containers/([^/]+)"): _container(remove),
    ("GET", "/images/json"): images,
    ("POST", "/images/create"): pull,
    ("GET", "/images/(.+)/json"): image,
    ("DELETE", "/images/(.+)"): remove_image,
    ("POST", "/networks/create"): create_network,
    ("GET", "/networks/([^/]+)"): network,
    ("DELETE", "/networks/([^/]+)"): remove_network,
    ("POST", "/networks/([^/]+)/connect"): connect,
    ("POST", "/networks/([^/]+)/disconnect"): disconnect,
    ("GET", "/volumes"): lambda engine, query, body: (200, {"Volumes": list(engine.volumes.values())}),
    ("POST", "/volumes/create"): create_volume,
    ("DELETE", "/volumes/([^/]+)"): remove_volume,
}


class Server(socketserver.ThreadingUnixStreamServer):
    """Server of an Engine on a UNIX socket for the duration of a `with` block."""

    daemon_threads = True

    def __init__(self, path):
        self.engine = Engine()
        super().__init__(path, _Handler)

    def __enter__(self):
        self.thread = threading.Thread(target=self.serve_forever, args=[POLL_INTERVAL])
        self.thread.start()
        return self

    def __exit__(self, *problem):
        self.shutdown()
        self.thread.join()
        self.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _serve(self):
        parts = urllib.parse.urlsplit(self.path)
        path = re.sub(r"^/v1\.\d+", "", parts.path)
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"null")
        query = dict(urllib.parse.parse_qsl(parts.query))
        code, data = self.server.engine.answer(self.command, path, query, body)
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        if path == "/images/create" and code == 200:
            self._send_progress(data)
            return
        if not isinstance(data, bytes):
            data = b"" if data is None else json.dumps(data).encode()
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _send_progress(self, lines):
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for line in map(json.dumps, lines):
            self.wfile.write(f"{len(line) + 2:x}\r\n{line}\r\n\r\n".encode())
        self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST = do_DELETE = _serve

    def address_string(self):
        return "a UNIX socket"

    def log_message(self, *words):
        pass
