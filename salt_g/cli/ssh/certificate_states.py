"""States for certificates on hosts, signed by a minion: `x509` and `ssh_pki.certificate_managed_wrapper`.

The changes are determined while an SLS is rendered: the module's state function compares the file on the host
with the wanted certificate, a new private key and a new certificate are created here, and the returned states
install them.
Shapes: high data, with one state ID ending in `_crt` and, for a managed private key, one in `_key`.
Errors: InvocationError for arguments; other errors become states that fail.
Source: stock's wrappers of the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g import api, x509
from salt_g.api import call, current, opts
from salt_g.cli.ssh.host_files import FilesOfHost
from salt_g.errors import CommandExecutionError, InvocationError, SaltGError
from salt_g.process import disk
from salt_g.shapes import Opts
from salt_g.x509 import ssh

#: Arguments that the states pass on to `file.managed`.
_FILE = frozenset(
    ("user", "group", "mode", "attrs", "makedirs", "dir_mode", "backup", "create", "follow_symlinks")
    + ("check_cmd", "tmp_dir", "tmp_ext", "selinux", "file_encoding", "encoding_errors")
)
#: Arguments about renewal, which the states accept and the function that creates a certificate does not.
_RENEWAL = ("days_remaining", "ttl_remaining")
#: Changes of the file format that need no new certificate.
_ABOUT_THE_FORM = {"additional_certs", "encoding", "pkcs12_friendlyname"}
_KEY_MODE = "0400"
_HighData = dict[str, dict[str, list[Any]]]


class _Key(NamedTuple):
    """Private key on a host: arguments of its state, whether a new key is due, and the changes so far."""

    path: str
    arguments: Mapping[str, Any]
    is_new: bool
    changes: dict[str, Any]


class _Wanted(NamedTuple):
    """Wanted certificate: path, signer, arguments of the certificate and, separately, of its file."""

    name: str
    signer: Mapping[str, Any]
    arguments: dict[str, Any]
    file: Mapping[str, Any]


class _CertificateStates:
    """Builder of the states for one certificate; subclasses call the functions of their module."""

    _module = ""
    #: Defaults of the wrapper that differ from those of the state.
    _defaults: Mapping[str, Any] = {}

    def __init__(self, _: Opts) -> None:
        """Accept the settings of the command, which are not used."""

    def _states(
        self,
        name: str,
        signer: Mapping[str, Any],
        key_arguments: Mapping[str, Any],
        sources: Mapping[str, Any],
        arguments: Mapping[str, Any],
        *,
        is_test: bool,
    ) -> _HighData:
        given = {key: value for key, value in sources.items() if value is not None}
        if not key_arguments and not set(given) - {"private_key_passphrase"}:
            raise InvocationError(
                f"{self._module}.certificate_managed_wrapper needs private_key_managed,"
                f" {' or '.join(key for key in sources if not key.endswith('passphrase'))}"
            )
        all_arguments = {**self._defaults, **arguments}
        wanted = _Wanted(
            name,
            signer,
            {key: value for key, value in all_arguments.items() if key not in _FILE},
            {key: value for key, value in all_arguments.items() if key in _FILE},
        )
        try:
            return self._decided(wanted, key_arguments, given, is_test=is_test)
        except SaltGError as exc:
            return self._failed(name, key_arguments.get("name"), str(exc))

    def _decided(
        self, wanted: _Wanted, key_arguments: Mapping[str, Any], given: dict[str, Any], *, is_test: bool
    ) -> _HighData:
        """Return the states for key and certificate; except in test mode, new ones are created first."""
        key = self._inspected_key(key_arguments, is_test=is_test) if key_arguments else None
        source = self._source(key, given)
        if key is not None and key.is_new:
            changes: dict[str, Any] = {}
            is_there = FilesOfHost().is_file(wanted.name)
            is_due = True
        else:
            changes, is_there = self._differences(wanted, source)
            is_due, is_form = bool(changes) or not is_there, _is_about_form(changes)
            if key is not None and key.arguments.get("new") and is_due and not is_form:
                key = key._replace(is_new=True, changes={"recreated": key.path})
        data = None
        if key is not None and key.is_new and not is_test:
            data, loaded = self._new_key(key.arguments)
            source = {"private_key": loaded}
        # Sign first: if the authority refuses, no new key is left on the host.
        certificate = self._certificate_state(
            wanted, changes, source, is_there=is_there, is_due=is_due, is_test=is_test
        )
        keys = {f"{key.path}_key": self._key_state(key, wanted.name, data)} if key is not None else {}
        return {**keys, f"{wanted.name}_crt": certificate}

    def _inspected_key(self, arguments: Mapping[str, Any], *, is_test: bool) -> _Key:
        """Return the managed key and whether a new one is due; except in test mode, remove a link."""
        if not arguments.get("name"):
            raise InvocationError("private_key_managed needs a name, the path of the private key")
        path, files = str(arguments["name"]), FilesOfHost()
        overwrites = bool(arguments.get("overwrite"))
        if files.is_link(path):
            if not overwrites:
                raise CommandExecutionError(
                    f"the private key {path} is a link: name its target, or pass overwrite: true"
                )
            if not is_test:
                files.remove(path)
            return _Key(path, arguments, True, {"removed_link": path, "created": path})
        if not files.is_file(path):
            return _Key(path, arguments, True, {"created": path})
        try:
            self._load(path, arguments.get("passphrase"))
        except (SaltGError, ValueError) as exc:
            if not overwrites:
                raise CommandExecutionError(
                    f"the private key {path} cannot be loaded: {str(exc).rstrip('.')}. If its passphrase is"
                    " right and the file may be replaced, pass overwrite: true"
                ) from exc
            return _Key(path, arguments, True, {"created": path})
        return _Key(path, arguments, False, {})

    def _source(self, key: _Key | None, given: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments that name the key or request; raise InvocationError for a missing file."""
        if key is not None:
            passphrase = key.arguments.get("passphrase")
            return {"private_key": key.path, **({"private_key_passphrase": passphrase} if passphrase else {})}
        for name, path in given.items():
            if name != "private_key_passphrase" and not FilesOfHost().is_file(str(path)):
                raise InvocationError(f"{name} {path} does not exist on the host")
        return given

    def _differences(self, wanted: _Wanted, source: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        """Return the differences from the certificate on the host, and whether the host has a certificate."""
        with api.use(current().with_opts(test=True)):
            function = current().table("states")[f"{self._module}.certificate_managed"]
            found = function(wanted.name, **wanted.signer, **wanted.arguments, **source)
        if found["result"] is False:
            raise CommandExecutionError(found["comment"])
        changes = dict(found["changes"])
        # The file is missing, or does not contain a certificate.
        is_there = not {"created", "replaced"} & set(changes)
        return (changes if is_there else {}), is_there

    def _key_state(self, key: _Key, certificate: str, data: bytes | None) -> dict[str, list[Any]]:
        """Return the state of the private key; write a new key (`data`) to a temporary file."""
        file = {"mode": _KEY_MODE, **{name: key.arguments[name] for name in _FILE & set(key.arguments)}}
        verb = "recreated" if "recreated" in key.changes else "created"
        comment, more = "The private key is in the correct state", {}
        if key.is_new:
            comment = f"The private key {'would have' if data is None else 'has'} been {verb}"
        if data is not None:
            more = {"tempfile": call("temp.file")}
            FilesOfHost().write(more["tempfile"], data, mode=disk.PRIVATE_FILE)
        state = {
            **{"name": key.path, "result": True, "comment": comment, "changes": key.changes},
            **{"require_in": [f"{certificate}_crt"], **file, **more},
        }
        return self._state("private_key_managed_ssh", state)

    def _certificate_state(
        self,
        wanted: _Wanted,
        changes: dict[str, Any],
        source: Mapping[str, Any],
        *,
        is_there: bool,
        is_due: bool,
        is_test: bool,
    ) -> dict[str, list[Any]]:
        verb = "reencoded" if _is_about_form(changes) else "recreated" if is_there else "created"
        state: dict[str, Any] = {"name": wanted.name, "result": True, "changes": {}}
        state["comment"] = "The certificate is in the correct state"
        if is_due:
            state["comment"] = f"The certificate {'would have' if is_test else 'has'} been {verb}"
            state["changes"] = changes or {verb: wanted.name}
        if is_due and not is_test:
            state["contents"] = self._contents(wanted, changes, source)
        if "encoding" in wanted.arguments:
            state["encoding"] = wanted.arguments["encoding"]
        elif self._module == "x509":
            state["encoding"] = "pem"
        return self._state("certificate_managed_ssh", {**state, **wanted.file})

    def _failed(self, name: str, key_name: Any, comment: str) -> _HighData:
        def state(function: str, path: Any) -> dict[str, list[Any]]:
            return self._state(function, {"name": path, "result": False, "comment": comment, "changes": {}})

        states = {f"{name}_crt": state("certificate_managed_ssh", name)}
        if key_name:
            states[f"{key_name}_key"] = state("private_key_managed_ssh", key_name)
        return states

    def _state(self, function: str, arguments: Mapping[str, Any]) -> dict[str, list[Any]]:
        return {f"{self._module}.{function}": [{name: value} for name, value in arguments.items()]}

    def _load(self, path: str, passphrase: str | None) -> Any:
        """Return the private key in a file of the host."""
        raise NotImplementedError

    def _new_key(self, arguments: Mapping[str, Any]) -> tuple[bytes, Any]:
        """Return a new private key, encoded and as an object."""
        raise NotImplementedError

    def _contents(self, wanted: _Wanted, changes: Mapping[str, Any], source: Mapping[str, Any]) -> str:
        """Return the text of the certificate: the existing one in another encoding, or a new one."""
        raise NotImplementedError


class X509(_CertificateStates):
    """Implementation of `x509.certificate_managed_wrapper`."""

    _module = "x509"
    _defaults: Mapping[str, Any] = {"days_remaining": 7, "days_valid": 30}

    def managed(
        self,
        name: str,
        ca_server: str,
        signing_policy: str,
        private_key_managed: Mapping[str, Any] | None = None,
        private_key: str | None = None,
        private_key_passphrase: str | None = None,
        csr: str | None = None,
        public_key: str | None = None,
        certificate_managed: Mapping[str, Any] | None = None,
        test: bool | None = None,
    ) -> _HighData:
        """Return the states that keep a certificate on the host, signed by the minion `ca_server`.

        private_key_managed
            Arguments of `x509.private_key_managed`; `new: true` creates a new key with each certificate.
        private_key, private_key_passphrase, csr, public_key
            Path on the host of an existing key or request, in place of a managed private key.
        certificate_managed
            Arguments of `x509.certificate_managed`.
        test
            Pass `opts.get("test")`, so that no certificate is issued when an SLS is rendered in test mode.

        Example::

            {{ salt["x509.certificate_managed_wrapper"]("/etc/pki/www.crt", ca_server="ca",
               signing_policy="www", private_key="/etc/pki/www.key", test=opts.get("test")) | yaml(false) }}
        """
        sources = {
            "private_key": private_key,
            "private_key_passphrase": private_key_passphrase,
            "csr": csr,
            "public_key": public_key,
        }
        return self._states(
            name,
            {"ca_server": ca_server, "signing_policy": signing_policy},
            private_key_managed or {},
            sources,
            certificate_managed or {},
            is_test=bool(test or opts["test"]),
        )

    def _load(self, path: str, passphrase: str | None) -> Any:
        return x509.loading.private_key(path, passphrase)

    def _new_key(self, arguments: Mapping[str, Any]) -> tuple[bytes, Any]:
        names = ("algo", "keysize", "passphrase", "encoding", "pkcs12_encryption_compat")
        given = {name: arguments[name] for name in names if name in arguments}
        data: bytes = call("x509.create_private_key", raw=True, **given)
        return data, x509.loading.private_key(data, arguments.get("passphrase"))

    def _contents(self, wanted: _Wanted, changes: Mapping[str, Any], source: Mapping[str, Any]) -> str:
        parts = {key: value for key, value in wanted.arguments.items() if key not in _RENEWAL}
        if not _is_about_form(changes):
            return str(call("x509.create_certificate", **wanted.signer, **parts, **source))
        form = ("encoding", "append_certs", "pkcs12_passphrase", "pkcs12_encryption_compat")
        given = {key: parts[key] for key in (*form, "pkcs12_friendlyname") if key in parts}
        if parts.get("encoding") == "pkcs12":
            given.update(source)
        return str(call("x509.encode_certificate", wanted.name, **given))


class SshPki(_CertificateStates):
    """Implementation of `ssh_pki.certificate_managed_wrapper`."""

    _module = "ssh_pki"

    def managed(
        self,
        name: str,
        ca_server: str | None = None,
        signing_policy: str | None = None,
        backend: str | None = None,
        backend_args: Mapping[str, Any] | None = None,
        private_key_managed: Mapping[str, Any] | None = None,
        private_key: str | None = None,
        private_key_passphrase: str | None = None,
        public_key: str | None = None,
        certificate_managed: Mapping[str, Any] | None = None,
        test: bool | None = None,
    ) -> _HighData:
        """Return the states that keep an OpenSSH certificate on the host, signed by the minion `ca_server`.

        backend, backend_args
            A module to use instead of `ssh_pki` for the certificate, and further arguments for it.
        private_key_managed
            Arguments of `ssh_pki.private_key_managed`; `new: true` creates a new key with each certificate.
        private_key, private_key_passphrase, public_key
            Path on the host of an existing key, in place of a managed private key.
        certificate_managed
            Arguments of `ssh_pki.certificate_managed`.
        test
            Pass `opts.get("test")`, so that no certificate is issued when an SLS is rendered in test mode.

        Example::

            {{ salt["ssh_pki.certificate_managed_wrapper"]("/etc/ssh/host-cert.pub", ca_server="ca",
               signing_policy="hosts", public_key="/etc/ssh/host.pub", test=opts.get("test")) | yaml(false) }}
        """
        signer: dict[str, Any] = {"ca_server": ca_server, "signing_policy": signing_policy}
        if backend:
            signer.update(backend=backend, backend_args=dict(backend_args or {}))
        sources = {
            "private_key": private_key,
            "private_key_passphrase": private_key_passphrase,
            "public_key": public_key,
        }
        arguments = certificate_managed or {}
        is_test = bool(test or opts["test"])
        return self._states(name, signer, private_key_managed or {}, sources, arguments, is_test=is_test)

    def _load(self, path: str, passphrase: str | None) -> Any:
        return ssh.loading.private_key(path, passphrase)

    def _new_key(self, arguments: Mapping[str, Any]) -> tuple[bytes, Any]:
        given = {name: arguments[name] for name in ("algo", "keysize", "passphrase") if name in arguments}
        data: bytes = call("ssh_pki.create_private_key", raw=True, **given)
        return data, ssh.loading.private_key(data, arguments.get("passphrase"))

    def _contents(self, wanted: _Wanted, changes: Mapping[str, Any], source: Mapping[str, Any]) -> str:
        signer = dict(wanted.signer)
        backend, more = signer.pop("backend", None) or "ssh_pki", signer.pop("backend_args", {})
        parts = {key: value for key, value in wanted.arguments.items() if key not in _RENEWAL}
        return str(call(f"{backend}.create_certificate", **signer, **parts, **source, **more))


def _is_about_form(changes: Mapping[str, Any]) -> bool:
    """Return whether the changes concern only the encoding of the existing certificate."""
    return bool(changes) and not set(changes) - _ABOUT_THE_FORM
