"""Stock's `salt._compat`: libraries that have long been part of Python."""

import importlib.metadata as importlib_metadata
import ipaddress
import xml.etree.ElementTree as ElementTree

__all__ = ["ElementTree", "importlib_metadata", "ipaddress"]
