"""X.509 certificates."""

from __future__ import annotations

from typing import Any, NamedTuple

from salt_g import x509
from salt_g.api import call
from salt_g.errors import InvocationError
from salt_g.shapes import Arguments, StateReturn
from salt_g.states import _premade_files
from salt_g.states._file_lifecycle import Found, Kind, ensure_file, split_arguments
from salt_g.states._outcome import failed
from salt_g.x509.words import check_known

#: Default validity in days.
_DAYS_VALID = 365
#: Default number of remaining days at which a certificate is renewed.
_DAYS_REMAINING = 90
#: Default mode of a file with a private key.
_CONTAINER_MODE = "0600"
#: Differences that do not require a new certificate.
_ABOUT_THE_FORM = {"additional_certs", "encoding", "pkcs12_friendlyname"}
#: Arguments about the copy of a new certificate, which do not affect the certificate itself.
_COPIES = ("copypath", "prepend_cn")


def certificate_managed(
    name: str,
    days_remaining: int | None = None,
    ca_server: str | None = None,
    signing_policy: str | None = None,
    encoding: str = "pem",
    append_certs: Any = None,
    digest: str = "sha256",
    not_after: str | None = None,
    days_valid: int | None = None,
    pkcs12_passphrase: str | None = None,
    pkcs12_encryption_compat: bool = False,
    pkcs12_friendlyname: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a certificate exists as specified, and renew it before it expires.

    days_remaining
        The certificate is renewed if it expires within this number of days, 90 by default.

    The other arguments, such as `signing_private_key` and `private_key`, are those of
    `x509.create_certificate` and `file.managed`.

    Example::

        /etc/pki/www.crt:
          x509.certificate_managed:
            - ca_server: ca
            - signing_policy: www
            - private_key: /etc/pki/www.key
            - CN: www.example.org
            - days_remaining: 30
    """
    file_arguments, others = split_arguments(kwargs)
    if ca_server is None:
        # Another authority knows its own arguments.
        try:
            check_known(others, (*_COPIES, "digest", "minions", *x509.plans.KNOWN_IN_CERTIFICATES))
        except InvocationError as exc:
            return failed(name, str(exc))
    if encoding == "pkcs12":
        # The file contains a private key.
        file_arguments.setdefault("mode", _CONTAINER_MODE)
    certificate = _WantedCertificate(
        name=name,
        encoding=encoding,
        chain=_as_list(append_certs),
        wanted=_wanted(others, digest, not_after, days_valid),
        container={
            "pkcs12_passphrase": pkcs12_passphrase,
            "pkcs12_encryption_compat": pkcs12_encryption_compat,
            "pkcs12_friendlyname": pkcs12_friendlyname,
        },
        days_remaining=_DAYS_REMAINING if days_remaining is None else days_remaining,
        ca_server=ca_server,
        signing_policy=signing_policy,
    )
    kind = Kind("certificate", encoding, certificate.inspect, certificate.make)
    return ensure_file(name, kind, file_arguments)


def _wanted(others: Arguments, digest: str, not_after: str | None, days_valid: int | None) -> dict[str, Any]:
    """Return the arguments of `x509.create_certificate` that have a value."""
    wanted = {
        **others,
        "not_after": not_after,
        "days_valid": _DAYS_VALID if days_valid is None and not_after is None else days_valid,
        # `algorithm`, its old name, is among the others.
        "digest": others.get("digest", digest),
    }
    return {key: value for key, value in wanted.items() if value is not None}


def _as_list(append_certs: Any) -> list[Any]:
    if isinstance(append_certs, list):
        return append_certs
    return [append_certs] if append_certs else []


def certificate_managed_ssh(
    name: str,
    result: bool | None,
    comment: str,
    changes: dict[str, Any],
    encoding: str | None = None,
    contents: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Write a certificate created by the controlling side of an agentless run; `result` etc. are reported.

    contents
        Text for `pem` and `pkcs7_pem`, base64 for other encodings.

    Example::

        salt-g state.single x509.certificate_managed_ssh /etc/www.crt result=True comment=made changes='{}'
    """
    data = None if contents is None else x509.encoding.from_text(contents, encoding or "der")
    return _premade_files.content(name, result, comment, changes, data, **kwargs)


class _WantedCertificate(NamedTuple):
    """Wanted certificate and its signer."""

    name: str
    encoding: str
    chain: list[Any]
    wanted: dict[str, Any]
    container: dict[str, Any]
    days_remaining: int
    ca_server: str | None
    signing_policy: str | None

    def inspect(self, path: str) -> Found:
        """Compare the file with the certificate specified under the signing policy."""
        policy = call("x509.get_signing_policy", self.signing_policy, ca_server=self.ca_server)
        arguments = x509.policies.enforced(policy, self.wanted)
        try:
            found = x509.loading.bundle(path, self.container["pkcs12_passphrase"])
        except x509.loading.BadPassword:
            return Found(None, {"pkcs12_passphrase": True})
        except x509.loading.Unreadable:
            return Found(None, {"replaced": self.name})
        digest = arguments.pop("digest", "sha256")
        own = {key: value for key, value in arguments.items() if self._is_compared(key)}
        plan = x509.plans.certificate(own, signed_elsewhere=self.ca_server is not None)
        changes = {
            **self._differences(found),
            **x509.differences.of_digest(found.certificate, digest),
            **x509.differences.of_certificate(
                found.certificate, plan, number_matters=own.get("serial_number") is not None
            ),
        }
        return Found(found.certificate, changes)

    def _is_compared(self, argument: str) -> bool:
        """Return whether an argument describes the certificate; authorities can accept others, too."""
        if self.ca_server is not None:
            return argument in x509.plans.KNOWN_IN_CERTIFICATES
        return argument not in (*_COPIES, "minions")

    def make(self, found: Found) -> str:
        """Re-encode the same certificate if that is enough, else create a new one."""
        common = {"encoding": self.encoding, "append_certs": self.chain, **self.container}
        if found.thing is not None and not set(found.changes) - _ABOUT_THE_FORM:
            return str(call("x509.encode_certificate", found.thing, **common, **self._embedded_key()))
        return str(
            call(
                "x509.create_certificate",
                ca_server=self.ca_server,
                signing_policy=self.signing_policy,
                **common,
                **self.wanted,
            )
        )

    def _differences(self, found: Any) -> dict[str, Any]:
        """Return the differences other than the certificate's content: encoding, expiry, chain."""
        changes: dict[str, Any] = {}
        if found.encoding != self.encoding:
            changes["encoding"] = self.encoding
        elif self.encoding == "pkcs12":
            name = self.container["pkcs12_friendlyname"]
            if (found.name or b"").decode("utf-8", "replace") != (name or ""):
                changes["pkcs12_friendlyname"] = name
        if found.certificate.not_valid_after_utc < x509.times.in_days(self.days_remaining):
            changes["expiration"] = True
        wanted = [x509.loading.certificate(reference) for reference in self.chain]
        if not x509.differences.are_same_chain(found.chain, wanted):
            changes["additional_certs"] = True
        return changes

    def _embedded_key(self) -> dict[str, Any]:
        """Return the private key in a PKCS#12 container: the subject's, or the signer's if self-signed."""
        if self.encoding != "pkcs12":
            return {}
        which = "private_key" if self.wanted.get("signing_cert") or self.ca_server else "signing_private_key"
        return {
            "private_key": self.wanted.get(which),
            "private_key_passphrase": self.wanted.get(f"{which}_passphrase"),
        }
