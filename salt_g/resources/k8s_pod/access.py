"""Address and credentials of a cluster, from a kubeconfig, from settings, or from the minion's own pod.

Errors: CommandExecutionError, which names the setting or the location in the file, never a secret.
Source: Kubernetes documentation, "Organizing Cluster Access Using kubeconfig Files" and "Accessing the API
from a Pod".
"""

from __future__ import annotations

import base64
import os
import ssl
import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError, YamlError

#: Directory of the service account files that give a pod access to its own cluster.
IN_CLUSTER = "/var/run/secrets/kubernetes.io/serviceaccount"


class Access(NamedTuple):
    """API server and credentials; `token_file` is read for each request, since tokens are renewed."""

    server: str
    context: ssl.SSLContext | None
    token: str = ""
    token_file: str = ""

    def headers(self) -> dict[str, str]:
        """Return the authorization header; {} without a token."""
        token = self.token or (_text(self.token_file).strip() if self.token_file else "")
        return {"Authorization": f"Bearer {token}"} if token else {}


def read_access(settings: Mapping[str, Any]) -> Access:
    """Return the access to the cluster from the settings of the type."""
    if settings.get("kubeconfig"):
        return _of_kubeconfig(str(settings["kubeconfig"]), settings.get("context"))
    if settings.get("server"):
        return Access(
            str(settings["server"]),
            _tls(ca_file=settings.get("ca_file")),
            str(settings.get("token") or ""),
            str(settings.get("token_file") or ""),
        )
    host = os.environ.get("KUBERNETES_SERVICE_HOST")
    if host and os.path.exists(f"{IN_CLUSTER}/token"):
        shown = f"[{host}]" if ":" in host else host
        server = f"https://{shown}:{os.environ.get('KUBERNETES_SERVICE_PORT', '443')}"
        return Access(server, _tls(ca_file=f"{IN_CLUSTER}/ca.crt"), token_file=f"{IN_CLUSTER}/token")
    raise CommandExecutionError(
        "k8s_pod: pillar names no cluster: give kubeconfig (a path on the managing minion),"
        " or server with token"
    )


def _of_kubeconfig(path: str, name: Any) -> Access:
    from salt_g.formats import yaml_load

    try:
        config = yaml_load.load(_text(path), name=path)
    except YamlError as exc:
        # The parser's message is omitted because it quotes the line, which may contain the token.
        raise CommandExecutionError(f"{path} is not valid YAML") from exc
    if not isinstance(config, Mapping):
        raise CommandExecutionError(f"{path} is not a kubeconfig")
    context = _named(config, "contexts", name or config.get("current-context"), path)
    cluster = _named(config, "clusters", context.get("cluster"), path)
    user = _named(config, "users", context["user"], path) if context.get("user") else {}
    unfit = next((key for key in ("exec", "auth-provider", "username") if user.get(key)), None)
    if unfit:
        raise CommandExecutionError(
            f"{path}: user {context['user']!r} logs in by {unfit!r}, which is not supported;"
            " give it a token or a client certificate"
        )
    tls = _tls(
        ca_file=_beside(path, cluster.get("certificate-authority")),
        ca_data=_decoded(cluster.get("certificate-authority-data"), path),
        is_checked=not cluster.get("insecure-skip-tls-verify"),
    )
    _identify(tls, user, path)
    token_file = _beside(path, user.get("tokenFile")) or ""
    return Access(str(cluster.get("server") or ""), tls, str(user.get("token") or ""), token_file)


def _named(config: Mapping[str, Any], kind: str, name: Any, path: str) -> Mapping[str, Any]:
    for entry in config.get(kind) or ():
        if isinstance(entry, Mapping) and entry.get("name") == name:
            found = entry.get(kind[:-1])
            return found if isinstance(found, Mapping) else {}
    raise CommandExecutionError(f"{path} has no {kind[:-1]} {name!r}")


def _tls(*, ca_file: Any = None, ca_data: bytes = b"", is_checked: bool = True) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(
            cafile=str(ca_file) if ca_file else None, cadata=ca_data.decode("ascii") if ca_data else None
        )
    except (OSError, UnicodeDecodeError) as exc:
        raise CommandExecutionError(f"the cluster's CA certificate cannot be read: {exc}") from exc
    if not is_checked:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _identify(context: ssl.SSLContext, user: Mapping[str, Any], path: str) -> None:
    """Load the client certificate of a user, if it has one."""
    certificate, key = _beside(path, user.get("client-certificate")), _beside(path, user.get("client-key"))
    data = [_decoded(user.get(f"client-{part}-data"), path) for part in ("certificate", "key")]
    try:
        if all(data):
            # OpenSSL reads certificate and key only from a file; this one is private and removed at once.
            with tempfile.NamedTemporaryFile() as file:
                file.write(b"\n".join(data))
                file.flush()
                context.load_cert_chain(file.name)
        elif certificate:
            context.load_cert_chain(certificate, key)
    except OSError as exc:
        raise CommandExecutionError(f"{path}: the client certificate cannot be read: {exc}") from exc


def _beside(path: str, name: Any) -> str | None:
    """Return a path named in the kubeconfig `path`, resolved against the directory of that file."""
    return os.path.join(os.path.dirname(path), str(name)) if name else None


def _decoded(data: Any, path: str) -> bytes:
    try:
        return base64.b64decode(str(data or ""), validate=True)
    except ValueError as exc:
        raise CommandExecutionError(f"{path} contains data that is not base64") from exc


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as exc:
        raise CommandExecutionError(f"{path} cannot be read: {exc}") from exc
