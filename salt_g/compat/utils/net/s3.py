"""Stock's `salt.utils.s3`: requests to S3 and to servers that speak its protocol.

Errors: CommandExecutionError with the server's code and message, or the missing setting.
"""

import contextlib
import datetime
import http.client
import shutil
import ssl
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from typing import IO, Any, NamedTuple
from urllib.parse import quote, unquote

from salt_g.compat.utils.values import xmlutil
from salt_g.compat.utils.values.hashutils import get_hash
from salt_g.errors import CommandExecutionError
from salt_g.net.aws_signature import NO_BODY, AwsCredentials, AwsRequest, query_string, signed_headers
from salt_g.net.tls import client_context

#: Default server and region, used without `service_url` and `location`.
_SERVER, _REGION = "s3.amazonaws.com", "us-east-1"
#: Maximum time without data from the server (s).
_TIMEOUT = 300.0
#: Maximum size of a response that is kept in memory (bytes); a list has at most a thousand keys.
_LARGEST = 64 * 1024 * 1024
_ENCRYPTION = "x-amz-server-side-encryption"


class _Query(NamedTuple):
    """Signed request."""

    method: str
    url: str
    headers: Mapping[str, str]
    local_file: str | None
    context: ssl.SSLContext


def query(
    key: str | None,
    keyid: str | None,
    method: str = "GET",
    params: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    requesturl: str | None = None,
    return_url: bool = False,
    bucket: str | None = None,
    service_url: str | None = None,
    path: str | None = "",
    return_bin: bool = False,
    action: str | None = None,
    local_file: str | None = None,
    verify_ssl: bool | None = True,
    full_headers: bool = False,
    kms_keyid: str | None = None,
    location: str | None = None,
    role_arn: str | None = None,
    chunk_size: int = 16384,
    path_style: bool | None = False,
    https_enable: bool | None = True,
) -> Any:
    """Send a request and return the server's answer.

    GET returns the XML elements of the answer as a list of dicts, or with `return_url` this list and the URL;
    with `local_file` it writes the object to this file and returns a message, with `return_bin` it returns
    bytes. HEAD returns {"headers": names, or names and values with `full_headers`}; PUT (of `local_file`) and
    DELETE return None. With `requesturl` nothing is signed, because `headers` already contain the signature.
    """
    server = service_url or _SERVER
    host = f"{bucket}.{server}" if bucket and not path_style else server
    parts = [bucket] if bucket and path_style else []
    # Unquote first, because some callers quote the path and others do not.
    place = "/" + "/".join(quote(unquote(part)) for part in (*parts, path or "") if part is not None)
    sent = dict(headers or {})
    if kms_keyid is not None and method in ("PUT", "POST"):
        sent.update({_ENCRYPTION: "aws:kms", f"{_ENCRYPTION}-aws-kms-key-id": kms_keyid})
    url = requesturl
    if not url:
        credentials = _credentials(key, keyid, role_arn)
        body = get_hash(local_file, form="sha256") if method == "PUT" and local_file else NO_BODY
        request = AwsRequest(method, host, place, params or {}, sent, body)
        now = datetime.datetime.now(datetime.timezone.utc)
        sent = signed_headers(request, credentials, region=location or _REGION, service="s3", now=now)
        found = query_string(params or {})
        url = f"{'https' if https_enable else 'http'}://{host}{place}{'?' if found else ''}{found}"
    what = _Query(method, url, sent, local_file, client_context(verify=verify_ssl is not False))
    answer = _answer(what, return_bin=return_bin, full_headers=full_headers)
    return (answer, url) if return_url and isinstance(answer, list) else answer


def _credentials(key: str | None, keyid: str | None, role_arn: str | None) -> AwsCredentials:
    if not key or not keyid or role_arn:
        raise CommandExecutionError(
            "s3: IAM roles (role_arn, or no key) are not supported: set s3.keyid and s3.key"
        )
    return AwsCredentials(str(keyid), str(key))


def _answer(what: _Query, *, return_bin: bool, full_headers: bool) -> Any:
    with _sent(what) as answer:
        if what.method in ("PUT", "DELETE"):
            return None
        if what.method == "GET" and what.local_file and not return_bin:
            with open(what.local_file, "wb") as file:
                shutil.copyfileobj(answer, file)
            return f"Saved to local file: {what.local_file}"
        content = _read(answer)
        if return_bin:
            return content
        if not content:
            return {"headers": dict(answer.headers) if full_headers else list(answer.headers)}
    return [xmlutil.to_dict(item) for item in _parsed(content)]


@contextlib.contextmanager
def _sent(what: _Query) -> Iterator[Any]:
    """Send a request; yield the open answer for the duration of a `with` block."""
    with contextlib.ExitStack() as stack:
        body: IO[bytes] | None = None
        headers = dict(what.headers)
        if what.method == "PUT":
            body = stack.enter_context(open(what.local_file, "rb")) if what.local_file else None
            headers["Content-Length"] = str(body.seek(0, 2) if body else 0)
            if body:
                body.seek(0)
        request = urllib.request.Request(what.url, data=body, headers=headers, method=what.method)
        try:
            opened = urllib.request.urlopen(request, timeout=_TIMEOUT, context=what.context)
            yield stack.enter_context(opened)
        except urllib.error.HTTPError as exc:
            raise CommandExecutionError(f"Failed s3 operation. {_refusal(exc)}") from exc
        except (OSError, http.client.HTTPException, ValueError) as exc:
            raise CommandExecutionError(f"s3: {what.method} {what.url.partition('?')[0]}: {exc}") from exc


def _refusal(exc: urllib.error.HTTPError) -> str:
    """Return the code and message of an S3 error, or else the HTTP status."""
    try:
        found = xmlutil.to_dict(_parsed(_read(exc)))
        return f"{found['Code']}: {found['Message']}"
    except (CommandExecutionError, KeyError, TypeError):
        return f"http-{exc.code}: {exc.reason}"


def _read(answer: Any) -> bytes:
    content: bytes = answer.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise CommandExecutionError(
            f"s3: the response has more than {_LARGEST} bytes: set local_file to store it"
        )
    return content


def _parsed(content: bytes) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(content)
    except ElementTree.ParseError as exc:
        raise CommandExecutionError(f"s3: the response is not XML: {exc}") from exc


__all__ = ["query"]
