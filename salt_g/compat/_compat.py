"""Stock's `salt._compat`: libraries long part of Python."""

import ipaddress
import xml.etree.ElementTree as ElementTree

__all__ = ["ElementTree", "ipaddress"]
