"""Parameters of `file.managed` as one record, read by `managed.py` and `contents.py`."""

from __future__ import annotations

from typing import Any


class ManagedParams:
    """Arguments of the state, by name; see `managed`. Never changed: `but` returns a changed copy.

    Not a dataclass, which takes 2 ms to make with so many fields.
    """

    name: str
    source: Any
    source_hash: Any
    source_hash_name: str | None
    keep_source: bool
    user: str | int | None
    group: str | int | None
    mode: Any
    attrs: str | None
    template: str | None
    makedirs: bool
    dir_mode: Any
    context: Any
    replace: bool
    defaults: Any
    backup: str
    show_changes: bool
    create: bool
    contents: Any
    tmp_dir: str | None
    tmp_ext: str
    contents_pillar: Any
    contents_grains: Any
    contents_newline: bool
    contents_delimiter: str
    encoding: str | None
    encoding_errors: str
    allow_empty: bool
    follow_symlinks: bool
    check_cmd: Any
    skip_verify: bool
    selinux: dict[str, str] | None
    win_owner: Any
    win_perms: Any
    win_deny_perms: Any
    win_inheritance: bool
    win_perms_reset: bool
    verify_ssl: bool
    use_etag: bool
    signature: Any
    source_hash_sig: Any
    signed_by_any: Any
    signed_by_all: Any
    keyring: str | None
    gnupghome: str | None
    ignore_ordering: bool
    ignore_whitespace: bool
    ignore_comment_characters: Any
    new_file_diff: bool
    sig_backend: str
    kwargs: dict[str, Any]
    keep_mode: bool = False

    def __init__(self, **arguments: Any) -> None:
        vars(self).update(arguments)

    def but(self, **changes: Any) -> ManagedParams:
        """Return a copy with some fields replaced."""
        args = object.__new__(ManagedParams)
        vars(args).update(vars(self), **changes)
        return args

    def pick(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Return a subset of the arguments."""
        return {name: getattr(self, name) for name in names}

    def encoded(self) -> Any:
        """Return the contents encoded as the file will hold them."""
        if self.encoding and isinstance(self.contents, str):
            return self.contents.encode(self.encoding, self.encoding_errors)
        return self.contents

    def selinux_parts(self) -> dict[str, Any]:
        """Return the wanted SELinux context under the execution functions' names."""
        return {part: (self.selinux or {}).get(part) for part in ("seuser", "serole", "setype", "serange")}

    def ignores(self) -> bool:
        """Return whether some differences do not count as changes."""
        return bool(self.ignore_ordering or self.ignore_whitespace or self.ignore_comment_characters)
