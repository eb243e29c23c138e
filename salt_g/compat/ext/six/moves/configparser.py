"""Stock's `salt.ext.six.moves.configparser`."""

from configparser import ConfigParser, Error, NoOptionError, NoSectionError, RawConfigParser

__all__ = ["ConfigParser", "Error", "NoOptionError", "NoSectionError", "RawConfigParser"]
