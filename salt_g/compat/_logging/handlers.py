"""Stock's `salt._logging.handlers`: Python's own handlers."""

from logging import FileHandler, StreamHandler
from logging.handlers import RotatingFileHandler, SysLogHandler, WatchedFileHandler

from salt_g.compat._logging.mixins import ExcInfoOnLogLevelFormatMixin

__all__ = [
    "ExcInfoOnLogLevelFormatMixin",
    "FileHandler",
    "RotatingFileHandler",
    "StreamHandler",
    "SysLogHandler",
    "WatchedFileHandler",
]
