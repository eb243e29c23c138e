"""Signatures of requests to AWS services, or to servers with the same protocol.

Shapes: headers are {name: value}; the signed headers also have `host`, `x-amz-date`, `x-amz-content-sha256`
and `Authorization`.
Source: AWS, "Signature Version 4 signing process", and its examples for S3.
"""

from __future__ import annotations

import datetime
import hashlib
import hmac
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

_ALGORITHM = "AWS4-HMAC-SHA256"
#: Hash of an empty body.
NO_BODY = hashlib.sha256(b"").hexdigest()


class AwsCredentials(NamedTuple):
    """Access key: its id and its secret."""

    id: str
    secret: str


class AwsRequest(NamedTuple):
    """Request to be signed; `path` is quoted, `body_hash` the SHA-256 of the body in hexadecimal."""

    method: str
    host: str
    path: str
    parameters: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    body_hash: str = NO_BODY


def query_string(parameters: Mapping[str, str]) -> str:
    """Return the query string of parameters, sorted and quoted as the signature requires."""
    pairs = sorted(
        (quote(str(key), safe="-_.~"), quote(str(value), safe="-_.~")) for key, value in parameters.items()
    )
    return "&".join(f"{key}={value}" for key, value in pairs)


def signed_headers(
    request: AwsRequest, credentials: AwsCredentials, *, region: str, service: str, now: datetime.datetime
) -> dict[str, str]:
    """Return the headers of a request with its signature; `now` is in UTC."""
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    headers = {
        **request.headers,
        "host": request.host,
        "x-amz-content-sha256": request.body_hash,
        "x-amz-date": stamp,
    }
    scope = f"{stamp[:8]}/{region}/{service}/aws4_request"
    names = ";".join(sorted(name.lower() for name in headers))
    text = f"{_ALGORITHM}\n{stamp}\n{scope}\n{_canonical_hash(request, headers, names)}"
    signature = hmac.new(_key(credentials.secret, scope), text.encode(), hashlib.sha256).hexdigest()
    headers["Authorization"] = (
        f"{_ALGORITHM} Credential={credentials.id}/{scope},SignedHeaders={names},Signature={signature}"
    )
    return headers


def _canonical_hash(request: AwsRequest, headers: Mapping[str, str], names: str) -> str:
    values = {name.lower(): " ".join(str(value).split()) for name, value in headers.items()}
    lines = [
        *(request.method, request.path, query_string(request.parameters)),
        *(f"{name}:{values[name]}" for name in sorted(values)),
        *("", names, request.body_hash),
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _key(secret: str, scope: str) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key
