"""Helper process that checks one user with PAM: request on standard input, result as exit code.

It runs as a script, with only the standard library; see `pam.py`.
Shapes: the request is JSON [service, user name, password].
Source: pam(3), pam_conv(3); Linux-PAM's numbers.
"""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

#: Exit codes.
RIGHT, WRONG, UNUSABLE = 0, 1, 2

_SUCCESS = 0
_BUFFER_ERROR = 5
_ECHO_OFF = 1


class _Message(ctypes.Structure):
    _fields_ = (("style", ctypes.c_int), ("text", ctypes.c_char_p))


class _Response(ctypes.Structure):
    _fields_ = (("text", ctypes.c_void_p), ("retcode", ctypes.c_int))


_Messages = ctypes.POINTER(ctypes.POINTER(_Message))
_Responses = ctypes.POINTER(ctypes.POINTER(_Response))
_Converse = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, _Messages, _Responses, ctypes.c_void_p)


class _Conversation(ctypes.Structure):
    _fields_ = (("converse", _Converse), ("data", ctypes.c_void_p))


def is_right(service: str, username: str, password: str) -> bool:
    """Return whether PAM authenticates a user with a valid account; raise OSError without PAM."""
    pam, libc = _libraries()

    def answer(count: int, messages: Any, responses: Any, data: Any) -> int:
        """Answer each prompt without echo with the password; PAM frees the replies."""
        memory = libc.calloc(count, ctypes.sizeof(_Response))
        if not memory:
            return _BUFFER_ERROR
        replies = ctypes.cast(memory, ctypes.POINTER(_Response))
        for number in range(count):
            if messages[number].contents.style == _ECHO_OFF:
                replies[number].text = libc.strdup(password.encode())
        responses[0] = replies
        return _SUCCESS

    conversation = _Conversation(_Converse(answer), None)
    handle = ctypes.c_void_p()
    if pam.pam_start(service.encode(), username.encode(), ctypes.byref(conversation), ctypes.byref(handle)):
        return False
    code = pam.pam_authenticate(handle, 0) or pam.pam_acct_mgmt(handle, 0)
    pam.pam_end(handle, code)
    return bool(code == _SUCCESS)


def _libraries() -> tuple[Any, Any]:
    pam = ctypes.CDLL("libpam.so.0")
    libc = ctypes.CDLL(None)
    libc.calloc.restype = ctypes.c_void_p
    libc.calloc.argtypes = (ctypes.c_size_t, ctypes.c_size_t)
    libc.strdup.restype = ctypes.c_void_p
    libc.strdup.argtypes = (ctypes.c_char_p,)
    text, handle = ctypes.c_char_p, ctypes.c_void_p
    pam.pam_start.argtypes = (text, text, ctypes.POINTER(_Conversation), ctypes.POINTER(handle))
    for function in (pam.pam_authenticate, pam.pam_acct_mgmt, pam.pam_end):
        function.argtypes = (handle, ctypes.c_int)
    return pam, libc


def main() -> int:
    """Check the user in the request on standard input; return the exit code."""
    service, username, password = json.load(sys.stdin)
    try:
        return RIGHT if is_right(service, username, password) else WRONG
    except OSError as exc:
        sys.stderr.write(f"PAM cannot be used here: {exc}\n")
        return UNUSABLE


if __name__ == "__main__":
    sys.exit(main())
