"""Stock's `salt.log`: set up by the program already, so plugins use Python's own logging."""

import logging

__all__ = ["logging"]
