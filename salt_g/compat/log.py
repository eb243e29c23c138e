"""Stock's `salt.log`: logging, which the program has set up already; plugins use Python's own."""

import logging

__all__ = ["logging"]
