"""Stock's `salt.ext.six.moves`: modules that moved in Python 3."""

import builtins
import configparser
import http.client as http_client
import io
import queue
from functools import reduce
from importlib import reload as reload_module
from itertools import filterfalse, zip_longest
from shlex import quote as shlex_quote
from sys import intern

StringIO = cStringIO = io.StringIO
input = builtins.input
filter, map, range, xrange, zip = builtins.filter, builtins.map, builtins.range, builtins.range, builtins.zip

__all__ = [
    "StringIO",
    "builtins",
    "cStringIO",
    "configparser",
    "filter",
    "filterfalse",
    "http_client",
    "input",
    "intern",
    "map",
    "queue",
    "range",
    "reduce",
    "reload_module",
    "shlex_quote",
    "xrange",
    "zip",
    "zip_longest",
]
