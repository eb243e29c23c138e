"""Session state kept across an orderly restart, so that no minion needs to sign in again.

Session keys and the publish key are saved in one file only while no process uses them. The file is removed
before its content is used, so that neither a crash nor a copy can restore a state that was used since. A
restored session accepts only timestamps above the highest one seen, so no earlier message is served again.
The session of a minion whose key was revoked meanwhile is not restored, nor is the publish key if that minion
knew it.
Shapes: {"key", "serial", "sessions": [[id, digest of the public key, session key, floor, knows]]}; `knows`
is whether the minion knows the publish key.
Source: wire specification, section 5.6; stock keeps a file for each session and never the publish key.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import time
from typing import Any

from salt_g.errors import KeysError, WireError
from salt_g.keys.files import KeyFiles
from salt_g.master.admission.sessions import MinionSession, MinionSessions
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.process import disk
from salt_g.wire.aes import Crypticle
from salt_g.wire.packing import as_bytes, pack_bus, unpack
from salt_g.wire.replay import ReplayGuard
from salt_g.wire.requests import TokenCheck
from salt_g.wire.rsa import PublicKey
from salt_g.wire.sessions import KeyRing, SessionKey

log = logging.getLogger(__name__)

#: Name of the file in `cachedir` that holds the session state.
FILE_NAME = ".resume"


def save_sessions(cachedir: str, sessions: MinionSessions, publish_keys: PublishKeys) -> None:
    """Save the session state; no requests may be served afterwards.

    If the disk is full, all minions have to sign in again after the next start.
    """
    if not publish_keys.text:
        return
    kept = {
        "key": publish_keys.text,
        "serial": publish_keys.serials.last,
        "sessions": [_packed(session, publish_keys.generation) for session in sessions],
    }
    try:
        disk.write_whole(os.path.join(cachedir, FILE_NAME), pack_bus(kept))
    except OSError as exc:
        log.warning("cannot save sessions for the next start; minions will sign in again: %s", exc)


def restore_sessions(
    cachedir: str, keys: KeyFiles, sessions: MinionSessions, publish_keys: PublishKeys
) -> int:
    """Restore the state of an earlier run; return the number of restored sessions."""
    kept = _take(os.path.join(cachedir, FILE_NAME))
    if kept is None:
        return 0
    try:
        publish_keys.resume(as_bytes(kept["key"]), int(kept["serial"]))
        resumed, lost = 0, False
        for entry in kept["sessions"]:
            if _resume_one(entry, keys, sessions, publish_keys.generation):
                resumed += 1
            else:
                lost = lost or bool(entry[4])
    except (WireError, KeysError, LookupError, TypeError, ValueError) as exc:
        log.warning("the session state of the last run is unusable; minions will sign in again: %s", exc)
        publish_keys.expire()
        return 0
    if lost:
        log.info("a key was revoked while no master ran; the publish key will be replaced")
        publish_keys.expire()
    return resumed


def _packed(session: MinionSession, generation: int) -> list[Any]:
    current = session.ring.current
    knows = session.generation == generation
    return [session.id, _digest(session.public.pem), current.crypticle.text, current.guard.next_floor, knows]


def _take(path: str) -> Any:
    """Return the file's content, or None without a usable one; remove the file, raise OSError if that fails.

    An unreadable file is removed as well, because its content must not be used by a later run. On a read-only
    file system, where nothing can be removed, a master starts without the saved state.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return None
    except OSError as exc:
        return _dropped(path, exc)
    try:
        os.unlink(path)
    except OSError as exc:
        return _dropped(path, exc)
    try:
        return unpack(content)
    except WireError as exc:
        return _dropped(path, exc)


def _dropped(path: str, reason: Exception) -> None:
    log.warning("cannot restore sessions from %s; minions will sign in again: %s", path, reason)
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as exc:
        if exc.errno != errno.EROFS:
            raise


def _resume_one(entry: Any, keys: KeyFiles, sessions: MinionSessions, generation: int) -> bool:
    id, digest, text, floor, knows = entry
    pem = keys.accepted_key(id)
    if pem is None or _digest(pem) != digest:
        return False
    key = SessionKey(Crypticle(as_bytes(text)), ReplayGuard(floor=int(floor)))
    ring = KeyRing(key, now=time.monotonic())
    session = sessions.restore(id, ring, TokenCheck(PublicKey(pem)))
    session.generation = generation if knows else 0
    return True


def _digest(pem: str) -> str:
    return hashlib.sha256(pem.encode()).hexdigest()
