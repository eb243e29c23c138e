"""Stock's `salt.ext.six.moves.urllib.parse`."""

from urllib.parse import (
    parse_qs,
    parse_qsl,
    quote,
    quote_plus,
    unquote,
    unquote_plus,
    urldefrag,
    urlencode,
    urljoin,
    urlparse,
    urlsplit,
    urlunparse,
    urlunsplit,
)

__all__ = [
    "parse_qs",
    "parse_qsl",
    "quote",
    "quote_plus",
    "unquote",
    "unquote_plus",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlparse",
    "urlsplit",
    "urlunparse",
    "urlunsplit",
]
