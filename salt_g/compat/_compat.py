"""Stock's `salt._compat`: libraries that Python has had for long."""

import ipaddress
import xml.etree.ElementTree as ElementTree

__all__ = ["ElementTree", "ipaddress"]
