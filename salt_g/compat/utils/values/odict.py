"""Stock's `salt.utils.odict`."""

from collections import OrderedDict

__all__ = ["OrderedDict"]
