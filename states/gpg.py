"""Keys in GnuPG keychains: present, unexpired and trusted, or absent.

Shapes: the changes of `present` are {key: {"added": True, "refresh": True, "trust": level, "subkeys":
{"added": [ids], "extended": [ids]}}}, each where it applies.
"""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome, refusal_fails

#: Names of the trust levels in `gpg.list_keys`.
_TRUST = {
    "expired": "Expired",
    "unknown": "Unknown",
    "not_trusted": "Not Trusted",
    "marginally": "Marginally Trusted",
    "fully": "Fully Trusted",
    "ultimately": "Ultimately Trusted",
}


class _NotContained(Exception):
    """A text or file without the wanted key, or with only an expired version of it."""


class _Origin(NamedTuple):
    """Sources of missing keys."""

    keyserver: str | None
    sources: list[str]
    skip_keyserver: bool
    text: str | None


class _Report:
    """Comments and changes of several keys, merged into one state return."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.said: dict[str, list[str]] = {}
        self.changes: dict[str, Any] = {}
        self.has_failed = False

    def say(self, key: str, *words: str) -> None:
        self.said.setdefault(key, []).extend(words)

    def fail(self, key: str, *words: str) -> None:
        self.has_failed = True
        self.say(key, *words)

    def change(self, key: str, what: str, value: Any) -> None:
        self.changes.setdefault(key, {})[what] = value

    def made(self, comment: str) -> StateReturn:
        result = False if self.has_failed else None if opts["test"] and self.changes else True
        return outcome(self.name, result, comment, self.changes)


def __virtual__() -> bool | tuple[bool, str]:
    return True if "gpg.list_keys" in functions else (False, "gpg module could not be loaded")


@refusal_fails
def present(
    name: str,
    keys: Any = None,
    user: str | None = None,
    keyserver: str | None = None,
    gnupghome: str | None = None,
    trust: str | None = None,
    keyring: str | None = None,
    source: Any = None,
    skip_keyserver: bool = False,
    text: str | None = None,
    subkey_maxage: int = 100,
) -> StateReturn:
    """Ensure that public keys are in a keychain; expired keys are fetched again.

    name, keys
        The fingerprint or id of a key, or a list of them in `keys`.
    user, gnupghome, keyring
        The owner of the keychain, or its directory, or one file of public keys.
    keyserver
        Server for missing keys; the default is `keys.openpgp.org`.
    trust
        The owner trust: `expired`, `unknown`, `not_trusted`, `marginally`, `fully` or
        `ultimately`.
    source, skip_keyserver
        Files or URLs for keys that the server does not have; `skip_keyserver` does not query the server.
    text
        The armoured keys, instead of servers and files. Only the named keys are imported.
    subkey_maxage
        Fetch a key again if a subkey has expired at most this many days ago; 0 ignores subkeys.

    Example::

        salt-g state.single gpg.present 3FAD9F1E3FBD9F2E trust=fully source=salt://keys/backup.asc
    """
    if not text and skip_keyserver and not source:
        return failed(name, "When skipping keyservers, you must provide at least one source")
    if trust and trust not in _TRUST:
        return failed(name, f"Invalid trust level {trust}; known are: {', '.join(_TRUST)}")
    origin = _Origin(keyserver, _listed(source), skip_keyserver, text)
    chain = {"user": user, "gnupghome": gnupghome, "keyring": keyring}
    report = _Report(name)
    for key in _listed(keys or name):
        there = _ensure_key(report, key, origin, chain, subkey_maxage)
        if trust and there is not None:
            _ensure_trust(report, key, there, chain, trust)
    return report.made(
        "\n".join(
            f"Key {key}:" + "".join(f"\n  * {line}" for line in said) for key, said in report.said.items()
        )
    )


@refusal_fails
def absent(
    name: str,
    keys: Any = None,
    user: str | None = None,
    gnupghome: str | None = None,
    keyring: str | None = None,
    keyring_absent_if_empty: bool = False,
) -> StateReturn:
    """Ensure that public keys are not in a keychain; a key with its secret part stays and fails the state.

    name, keys
        The fingerprint or id of a key, or a list of them in `keys`.
    user, gnupghome, keyring
        The owner of the keychain, or its directory, or one file of public keys.
    keyring_absent_if_empty
        Remove the file `keyring` if it contains no keys.

    Example::

        salt-g state.single gpg.absent 3FAD9F1E3FBD9F2E
    """
    chain = {"user": user, "gnupghome": gnupghome, "keyring": keyring}
    report = _Report(name)
    for key in _listed(keys or name):
        if not call("gpg.get_key", keyid=key, **chain):
            report.say(key, f"{key} not found in GPG keychain")
        elif call("gpg.get_secret_key", keyid=key, **chain):
            report.fail(key, f"Secret key of {key} exists; gpg.delete_key with delete_secret=True deletes it")
        elif opts["test"]:
            report.say(key, f"Would have deleted {key} from GPG keychain")
            report.changes.setdefault("deleted", []).append(key)
        else:
            _delete(report, key, chain)
    if keyring and keyring_absent_if_empty and not opts["test"] and not report.has_failed:
        _remove_empty(report, keyring, chain)
    return report.made("\n".join(line for said in report.said.values() for line in said))


def _ensure_key(
    report: _Report, key: str, origin: _Origin, chain: dict[str, Any], max_age: int
) -> dict[str, Any] | None:
    """Import a missing or expired key; return the resulting key, None if it is still missing.

    In test mode that is the present key, {} if it would be added.
    """
    found = call("gpg.get_key", keyid=key, **chain) or {}
    is_expired = bool(found.get("expired"))
    expired = _expired_subkeys(found, max_age)
    if found and not is_expired and not expired:
        report.say(key, f"GPG Public Key {key} already in keychain")
        return dict(found)
    if opts["test"]:
        _report_plan(report, key, found, expired)
        return dict(found)
    try:
        _fetch(key, origin, chain, found)
    except (CommandExecutionError, InvocationError, _NotContained) as exc:
        if is_expired:
            report.say(key, "Existing key is expired, tried to fetch updated one")
        elif found:
            report.say(key, "Existing key has expired subkeys, tried to refresh")
        report.fail(key, *str(exc).splitlines())
        return found or None
    now = call("gpg.get_key", keyid=key, **chain)
    if not now:
        report.fail(key, f"The new key {key} could not be retrieved though.")
        return None
    if found:
        _report_refresh(report, key, (found, now), max_age)
    else:
        report.say(key, f"Added {key} to GPG keychain")
        report.change(key, "added", True)
    if now.get("expired"):
        report.fail(key, f"The new key {key} is expired though.")
    return dict(now)


def _report_plan(report: _Report, key: str, found: dict[str, Any], expired: dict[str, str]) -> None:
    """Report the planned actions in test mode."""
    if not found:
        report.say(key, f"Would have added {key} to GPG keychain")
        report.change(key, "added", True)
        return
    if found.get("expired"):
        report.say(key, f"Would have attempted to update {key} because it is expired")
    else:
        report.say(key, f"Would have attempted to update {key} because it has expired subkeys:")
        report.say(key, *(f"  - {subkey} (expired on {day})" for subkey, day in expired.items()))
    report.change(key, "refresh", True)


def _report_refresh(
    report: _Report, key: str, versions: tuple[dict[str, Any], dict[str, Any]], max_age: int
) -> None:
    """Report the result of refreshing a key; `versions` are before and after."""
    before, after = versions
    ids = [{subkey["keyid"] for subkey in version.get("subkeys", [])} for version in versions]
    added = sorted(ids[1] - ids[0])
    extended = sorted(set(_expired_subkeys(before, max_age)) - set(_expired_subkeys(after, max_age)))
    if before.get("expired"):
        if not after.get("expired"):
            report.say(key, f"Updated {key} because it was expired")
            report.change(key, "refresh", True)
        return
    if not added and not extended:
        tried = f"Attempted to update {key} because it has expired subkeys"
        report.say(key, f"{tried}, but no new signatures or keys were found")
        return
    report.say(key, f"Updated {key} because it had expired subkeys.")
    report.change(key, "refresh", True)
    parts = {"added": added, "extended": extended}
    report.change(key, "subkeys", {word: subkeys for word, subkeys in parts.items() if subkeys})


def _expired_subkeys(key: dict[str, Any], max_age: int) -> dict[str, str]:
    """Return {id: expiry date} of the subkeys that expired at most `max_age` days ago."""
    if not max_age:
        return {}
    oldest = str(datetime.date.today() - datetime.timedelta(days=max_age))
    expired = (subkey for subkey in key.get("subkeys", []) if subkey.get("expired"))
    return {subkey["keyid"]: subkey["expires"] for subkey in expired if subkey["expires"] >= oldest}


def _fetch(key: str, origin: _Origin, chain: dict[str, Any], found: dict[str, Any]) -> None:
    """Import a key from a text, or from a server and then files; `found` is the present key.

    Raises CommandExecutionError, for a text _NotContained, if it is not available.
    """
    if origin.text:
        _import(key, chain, found, text=origin.text)
        return
    said = ""
    if not origin.skip_keyserver:
        asked = call("gpg.receive_keys", keyserver=origin.keyserver, keys=key, **chain)
        has_news = any("updated: new" in message for message in asked["message"])
        if asked["res"] and (not found or has_news):
            return
        said = "\n".join(asked["message"])
        if not origin.sources:
            if asked["res"] and not found.get("expired"):
                return
            raise CommandExecutionError(said)
    for source in origin.sources:
        path = call("cp.cache_file", source)
        if not path:
            continue
        try:
            _import(key, chain, found, path=path)
            return
        except (InvocationError, _NotContained):
            # A source that cannot be read or does not have the key: the next one may have it.
            continue
    none = f"none of the specified sources were found or contained the (unexpired) key {key}."
    raise CommandExecutionError(f"{said}\n{none}" if said else none)


def _import(
    key: str,
    chain: dict[str, Any],
    found: dict[str, Any],
    *,
    text: str | None = None,
    path: str | None = None,
) -> None:
    """Import one key from a text or file.

    Raises _NotContained if it lacks the key, or if the key is present and the text's version has expired.
    """
    where = {"user": chain["user"], "gnupghome": chain["gnupghome"]}
    offered = call("gpg.read_key", path=path, text=text, keyid=key, **where)
    if not offered:
        raise _NotContained(f"Passed text did not contain the requested key {key}")
    if found and offered[0].get("expired"):
        raise _NotContained(f"Passed text contained the key {key}, but it's expired")
    done = call("gpg.import_key", text=text, filename=path, select=key, **chain)
    if not done["res"]:
        raise CommandExecutionError(done["message"])


def _ensure_trust(
    report: _Report, key: str, there: dict[str, Any], chain: dict[str, Any], trust: str
) -> None:
    """Set the wanted owner trust of a key."""
    if there and there.get("ownerTrust", "Unknown") == _TRUST[trust]:
        report.say(key, f"GPG Public Key {key} already in correct trust state")
        return
    if opts["test"]:
        report.say(key, f"Would have set trust level for {key} to {trust}")
        report.change(key, "trust", trust)
        return
    done = call("gpg.trust_key", keyid=key, trust_level=trust, **chain)
    if not done["res"]:
        report.fail(key, done["message"])
        return
    report.say(key, f"Set trust level for {key} to {trust}")
    report.change(key, "trust", trust)


def _delete(report: _Report, key: str, chain: dict[str, Any]) -> None:
    done = call("gpg.delete_key", keyid=key, **chain)
    if not done["res"]:
        report.fail(key, done["message"])
        return
    report.say(key, f"Deleted {key} from GPG keychain")
    report.changes.setdefault("deleted", []).append(key)


def _remove_empty(report: _Report, keyring: str, chain: dict[str, Any]) -> None:
    """Remove a keyring without keys."""
    if call("file.file_exists", keyring) and not call("gpg.list_keys", **chain):
        call("file.remove", keyring)
        report.say(keyring, f"Removed empty keyring file {keyring}")
        report.changes["removed"] = keyring


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
