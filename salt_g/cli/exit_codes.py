"""Exit codes of every program of salt-g."""

from __future__ import annotations

#: Everything asked for was done.
OK = 0
#: A function failed, or returned a failure.
FAILED = 1
#: The target means nobody, or the master is not there or refused.
NOBODY = 2
#: Words are missing that say what to run where; stock's number.
WORDS_MISSING = 42
#: The words of the command line or the settings cannot be used (sysexits: EX_USAGE).
USAGE = 64
#: No function of this name.
UNAVAILABLE = 255
#: Ended by Ctrl-C: 128 + SIGINT, as shells report it.
INTERRUPTED = 130
#: The reader of standard output went away: 128 + SIGPIPE.
BROKEN_PIPE = 141
