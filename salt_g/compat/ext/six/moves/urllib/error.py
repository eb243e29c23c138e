"""Stock's `salt.ext.six.moves.urllib.error`."""

from urllib.error import ContentTooShortError, HTTPError, URLError

__all__ = ["ContentTooShortError", "HTTPError", "URLError"]
