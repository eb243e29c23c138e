"""Certificate revocation lists."""

from __future__ import annotations

from typing import Any, NamedTuple

from salt_g import x509
from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._file_lifecycle import Found, Kind, ensure_file, split_arguments
from salt_g.states._outcome import failed
from salt_g.x509.words import check_known, with_current_words

#: Default validity in days.
_DAYS_VALID = 100
#: Default number of remaining days at which a list is renewed.
_DAYS_REMAINING = 30
_NUMBER = "cRLNumber"


def crl_managed(
    name: str,
    signing_private_key: Any,
    revoked: list[dict[str, Any]],
    days_remaining: int | None = None,
    signing_cert: Any = None,
    signing_private_key_passphrase: str | None = None,
    include_expired: bool = False,
    days_valid: int | None = None,
    digest: str = "sha256",
    encoding: str = "pem",
    extensions: dict[str, Any] | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a revocation list exists as specified, and renew it before it expires.

    revoked
        Dicts as in `x509.create_crl`.
    days_remaining
        The list is renewed if it expires within this number of days, 30 by default; 0 disables renewal.
    days_valid
        Validity of a list in days, 100 by default.
    extensions
        As in `x509.create_crl`; `cRLNumber: auto` numbers the lists.

    Further keywords are those of `file.managed`.

    Example::

        /etc/pki/ca.crl:
          x509.crl_managed:
            - signing_private_key: /etc/pki/ca.key
            - signing_cert: /etc/pki/ca.crt
            - revoked:
              - serial_number: D6:D2:DC:D8:4D:5C:C0:F4
                extensions:
                  CRLReason: keyCompromise
            - extensions:
                cRLNumber: auto
    """
    file_arguments, others = split_arguments(kwargs)
    if problem := _problem(others):
        return failed(name, problem)
    wanted = _WantedCrl(
        name=name,
        key=signing_private_key,
        passphrase=signing_private_key_passphrase,
        entries=x509.policies.revoked(revoked),
        digest=others.get("digest", digest),
        encoding=encoding,
        extensions=with_current_words(extensions or {}),
        days_remaining=_DAYS_REMAINING if days_remaining is None else days_remaining,
        signing_cert=signing_cert,
        include_expired=include_expired,
        days_valid=_DAYS_VALID if days_valid is None else days_valid,
    )
    return ensure_file(
        name, Kind("certificate revocation list", encoding, wanted.inspect, wanted.make), file_arguments
    )


def _problem(others: dict[str, Any]) -> str:
    """Return why keywords are refused, or '' if all are known."""
    try:
        check_known(others, ("signing_cert", "days_remaining", "include_expired", "extensions", "digest"))
    except (CommandExecutionError, InvocationError) as exc:
        return str(exc)
    return ""


class _WantedCrl(NamedTuple):
    """Wanted revocation list and its signer."""

    name: str
    key: Any
    passphrase: str | None
    entries: Any
    digest: str
    encoding: str
    extensions: dict[str, Any]
    days_remaining: int
    signing_cert: Any
    include_expired: bool
    days_valid: int

    def inspect(self, path: str) -> Found:
        """Compare the file with the specified list."""
        try:
            found, encoding = x509.loading.revocation_list_and_encoding(path)
        except x509.loading.Unreadable:
            return Found(None, {"replaced": self.name})
        plan = x509.plans.revocation_list(
            self.key, self.entries, passphrase=self.passphrase, extensions=self._fixed(), **self._how()
        )
        changes = x509.differences.of_digest(found, self.digest)
        if encoding != self.encoding:
            changes["encoding"] = self.encoding
        if self._ends_soon(found.next_update_utc):
            changes["expiration"] = True
        ignored = [_NUMBER] if self._counts() else []
        return Found(found, {**changes, **x509.differences.of_revocation_list(found, plan, ignored=ignored)})

    def make(self, found: Found) -> str:
        """Re-encode the same list if that is enough, else create a new one."""
        if not set(found.changes) - {"encoding"}:
            return str(call("x509.encode_crl", found.thing, encoding=self.encoding))
        number = {_NUMBER: _next_number(found.thing)} if self._counts() else {}
        return str(
            call(
                "x509.create_crl",
                self.key,
                self.entries,
                signing_private_key_passphrase=self.passphrase,
                digest=self.digest,
                encoding=self.encoding,
                extensions={**self._fixed(), **number},
                **self._how(),
            )
        )

    def _counts(self) -> bool:
        return self.extensions.get(_NUMBER) == "auto"

    def _fixed(self) -> dict[str, Any]:
        """Return the extensions that stay the same in each new list."""
        return {key: value for key, value in self.extensions.items() if key != _NUMBER or not self._counts()}

    def _how(self) -> dict[str, Any]:
        names = ("signing_cert", "include_expired", "days_valid")
        return {name: getattr(self, name) for name in names}

    def _ends_soon(self, end: Any) -> bool:
        """Return whether a list ends within the required days; a list without an end never does."""
        return bool(self.days_remaining and end and end < x509.times.in_days(self.days_remaining))


def _next_number(found: Any) -> int:
    known = x509.rendering.extensions(found.extensions) if found is not None else {}
    return int(known[_NUMBER]["value"]) + 1 if _NUMBER in known else 1
