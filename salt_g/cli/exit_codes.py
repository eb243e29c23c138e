"""Exit codes of all programs of salt-g."""

from __future__ import annotations

#: Success.
OK = 0
#: A function failed, or returned a failure.
FAILED = 1
#: The target matches no minion, or the master is not running, refused the request or has no readable records.
NOBODY = 2
#: Something failed on a host of `salt-g ssh`; stock's number (EX_AGGREGATE).
HOSTS_FAILED = 20
#: Target or function missing; stock's number.
WORDS_MISSING = 42
#: Invalid arguments or settings (sysexits: EX_USAGE).
USAGE = 64
#: The user to run as does not exist (sysexits: EX_NOUSER).
NO_USER = 67
#: No function with this name.
UNAVAILABLE = 255
#: Ended by Ctrl-C: 128 + SIGINT, as shells report it.
INTERRUPTED = 130
#: The reader of standard output closed the pipe: 128 + SIGPIPE.
BROKEN_PIPE = 141
