"""Stock's `salt.ext.six.moves.urllib.request`."""

from urllib.request import Request, build_opener, install_opener, urlopen

__all__ = ["Request", "build_opener", "install_opener", "urlopen"]
