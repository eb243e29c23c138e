"""The pillar of this minion.

Values in results are masked unless `unmask=True`, because results are printed, stored and returned to
masters. Templates get the values, and `pillar.raw` masks them only with `unmask=False`.
"""

from __future__ import annotations

import copy
import logging
import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import advise, current, note_outside, note_read, opts, services, unrecorded
from salt_g.api import pillar as loaded
from salt_g.data.nested import DELIMITER, merge_recursive, traverse
from salt_g.data.pillar_errors import ADVICE, errors_of
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.formats.yaml_load import load
from salt_g.modules._lookup import choose

log = logging.getLogger(__name__)

#: Text of a masked value.
MASK = "**********"

_MISSING = object()
#: Marks a missing default, because None is a valid default.
_NO_DEFAULT = "__unset__"


def get(
    key: str,
    default: Any = _NO_DEFAULT,
    merge: bool = False,
    merge_nested_lists: bool | None = None,
    delimiter: str = DELIMITER,
    pillarenv: str | None = None,
    saltenv: str | None = None,
    unmask: bool | None = None,
) -> Any:
    """Return the value at a colon path of the loaded pillar, or `default` ('').

    With `merge` a mapping or list is merged over the default; `merge_nested_lists` says whether lists inside
    a mapping are merged too. `pillarenv` compiles that environment. Raises KeyError for a missing key when
    `pillar_raise_on_missing` is set and there is no default.

    Example::

        salt-g pillar.get pkg:apache
    """
    data = _data(pillarenv, saltenv)
    found = traverse(data, key, _MISSING, delimiter=delimiter)
    if merge and default != _NO_DEFAULT:
        if merge_nested_lists is None:
            merge_nested_lists = bool(opts.get("pillar_merge_lists", False))
        return _shown(_merged(default, found, merge_nested_lists), unmask)
    if found is not _MISSING:
        return _shown(found, unmask)
    if default == _NO_DEFAULT:
        if opts.get("pillar_raise_on_missing"):
            raise KeyError(f"Pillar key not found: {key}")
        default = ""
    return _shown(default, unmask)


def fetch(
    key: str,
    default: Any = _NO_DEFAULT,
    merge: bool = False,
    merge_nested_lists: bool | None = None,
    delimiter: str = DELIMITER,
    pillarenv: str | None = None,
    saltenv: str | None = None,
    unmask: bool | None = None,
) -> Any:
    """Return the result of `pillar.get`.

    Example::

        salt-g pillar.fetch pkg:apache
    """
    return get(key, default, merge, merge_nested_lists, delimiter, pillarenv, saltenv, unmask)


def items(
    *args: str,
    pillar: Any = None,
    pillar_enc: str | None = None,
    pillarenv: str | None = None,
    saltenv: str | None = None,
    unmask: bool | None = None,
) -> dict[str, Any]:
    """Compile the pillar again and return it; with arguments return the result of `pillar.item` for them.

    `pillar` is merged over it, decrypted by the renderer `pillar_enc` first. `pillarenv` limits it to one
    environment. The setting `pillar_mask_output: False` unmasks it, unless `unmask` is given.

    Example::

        salt-g pillar.items unmask=True
    """
    if args:
        return item(*args, pillarenv=pillarenv, saltenv=saltenv, unmask=unmask)
    if unmask is None and not opts.get("pillar_mask_output", True):
        unmask = True
    compiled = _compiled(saltenv=saltenv, pillarenv=pillarenv, override=_override(pillar, pillar_enc))
    if errors_of(compiled) and opts.get("file_client") != "local":
        # The errors are masked like all other values, so say where to find the cause.
        advise(ADVICE)
    shown: dict[str, Any] = _shown(compiled, unmask)
    return shown


def data(
    *args: str,
    pillar: Any = None,
    pillar_enc: str | None = None,
    pillarenv: str | None = None,
    saltenv: str | None = None,
    unmask: bool | None = None,
) -> dict[str, Any]:
    """Return the result of `pillar.items`.

    Example::

        salt-g pillar.data
    """
    return items(
        *args, pillar=pillar, pillar_enc=pillar_enc, pillarenv=pillarenv, saltenv=saltenv, unmask=unmask
    )


def obfuscate(
    *args: str,
    pillar: Any = None,
    pillar_enc: str | None = None,
    pillarenv: str | None = None,
    saltenv: str | None = None,
    unmask: bool | None = None,
) -> Any:
    """Compile the pillar again and return it with types instead of values (`<str>`).

    Masked numbers and bools show as `<str>` too.

    Example::

        salt-g pillar.obfuscate
    """
    return _types(
        items(
            *args, pillar=pillar, pillar_enc=pillar_enc, pillarenv=pillarenv, saltenv=saltenv, unmask=unmask
        )
    )


def ls(
    *args: str,
    pillar: Any = None,
    pillar_enc: str | None = None,
    pillarenv: str | None = None,
    saltenv: str | None = None,
    unmask: bool | None = None,
) -> list[str]:
    """Compile the pillar again and return its keys.

    Example::

        salt-g pillar.ls
    """
    return list(
        items(
            *args, pillar=pillar, pillar_enc=pillar_enc, pillarenv=pillarenv, saltenv=saltenv, unmask=unmask
        )
    )


def item(
    *args: str,
    default: Any = None,
    delimiter: str | None = None,
    pillarenv: str | None = None,
    saltenv: str | None = None,
    unmask: bool | None = None,
) -> dict[str, Any]:
    """Return {path: value} for colon paths of the loaded pillar; missing ones have the value `default` ('').

    Example::

        salt-g pillar.item foo bar:baz
    """
    source = _data(pillarenv, saltenv)
    missing = "" if default is None else default
    found = {path: traverse(source, path, missing, delimiter=delimiter or DELIMITER) for path in args}
    shown: dict[str, Any] = _shown(found, unmask)
    return shown


def raw(key: str | None = None, unmask: bool | None = None) -> Any:
    """Return the loaded pillar, or the value of one key of it ({} if missing); masked only by `unmask=False`.

    Example::

        salt-g pillar.raw key='roles'
    """
    value = loaded.get(key, {}) if key else loaded.copy()
    return _masked(value) if unmask is False else value


def ext(external: Any, pillar: Any = None, unmask: bool | None = None) -> dict[str, Any]:
    """Compile the pillar with one additional external pillar and return it.

    `external` is one item of the setting `ext_pillar`; `on_demand_ext_pillar` must allow it.

    Example::

        salt-g pillar.ext '{libvirt: _}'
    """
    if isinstance(external, str):
        external = load(external)
    compiled = _compiled(ext=external, override=_override(pillar, None))
    shown: dict[str, Any] = _shown(compiled, unmask)
    return shown


def keys(key: str, delimiter: str = DELIMITER, unmask: bool | None = None) -> list[str]:
    """Return the keys of the mapping at a colon path.

    Raises KeyError if it is missing, ValueError if it is not a mapping.

    Example::

        salt-g pillar.keys web:sites
    """
    found = traverse(loaded, key, _MISSING, delimiter=delimiter)
    if found is _MISSING:
        raise KeyError(f"Pillar key not found: {key}")
    if not isinstance(found, Mapping):
        raise ValueError(f"Pillar value in key {key} is not a dict")
    return list(found)


def file_exists(path: str, saltenv: str | None = None) -> bool:
    """Return whether a file is in the pillar roots, of one environment or of any.

    Example::

        salt-g pillar.file_exists foo/bar.sls
    """
    roots = opts.get("pillar_roots")
    if not roots:
        raise CommandExecutionError("No pillar_roots found. Are you running this on the master?")
    chosen = roots.values() if saltenv is None else [roots.get(saltenv, [])]
    return any(os.path.isfile(os.path.join(root, path)) for layers in chosen for root in layers)


def filter_by(
    lookup_dict: Mapping[Any, Any],
    pillar: str,
    merge: Mapping[str, Any] | None = None,
    default: str = "default",
    base: str | None = None,
) -> Any:
    """Return the value of `lookup_dict` whose key (a glob) matches the value at the colon path `pillar`.

    Without a match the value of the key `default` is returned. `base` names a key whose mapping provides
    defaults, `merge` is a mapping merged over the result.

    Example::

        salt-g pillar.filter_by '{web: Serve it up, db: I query, default: x_x}' role
    """
    return choose(lookup_dict, loaded, pillar, merge=merge, default=default, base=base)


def _masked(value: Any) -> Any:
    """Return `value` with all non-empty texts, numbers and bools masked."""
    if isinstance(value, Mapping):
        return {key: _masked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner) for inner in value]
    if isinstance(value, bytes):
        return MASK.encode() if value else value
    return MASK if isinstance(value, (str, int, float)) and value else value


def _shown(value: Any, unmask: bool | None) -> Any:
    """Return `value` masked or as it is; by default it is unmasked only for templates."""
    if unmask is None:
        unmask = current().in_template
    return value if unmask else _masked(value)


def _data(pillarenv: str | None, saltenv: str | None) -> Mapping[str, Any]:
    """Return the loaded pillar, or a newly compiled one of an environment."""
    if pillarenv is None and saltenv is None:
        return loaded
    return _compiled(saltenv=saltenv, pillarenv=pillarenv)


def _compiled(**options: Any) -> dict[str, Any]:
    """Return newly compiled pillar; record that all pillar and data from outside were read."""
    note_read("pillar")
    note_outside()
    with unrecorded():
        compiled: dict[str, Any] = services().pillars.compile(**options)
    return compiled


def _merged(default: Any, found: Any, merge_lists: bool) -> Any:
    """Return `found` merged over `default` if both are mappings or both are lists, else `found`.

    A missing `found` gives `default`.
    """
    if found is _MISSING:
        return default
    if isinstance(default, Mapping) and isinstance(found, Mapping):
        return merge_recursive(default, found, merge_lists=merge_lists)
    if isinstance(default, list) and isinstance(found, list):
        return copy.deepcopy(default) + [item for item in found if item not in default]
    log.error("pillar.get: a %s cannot be merged over a %s", type(found).__name__, type(default).__name__)
    return found


def _override(pillar: Any, pillar_enc: str | None) -> Mapping[str, Any] | None:
    if pillar and pillar_enc:
        pillar = _decrypted(pillar, pillar_enc)
    if pillar and not isinstance(pillar, Mapping):
        log.error("Pillar data must be a dictionary")
        return None
    return pillar or None


def _decrypted(value: Any, renderer: str) -> Any:
    valid = opts.get("decrypt_pillar_renderers") or ["gpg"]
    if renderer not in valid:
        raise CommandExecutionError(
            f"Failed to decrypt pillar override: '{renderer}' is not a valid decryption renderer. "
            f"Valid choices are: {', '.join(valid)}"
        )
    if isinstance(value, Mapping):
        return {key: _decrypted(inner, renderer) for key, inner in value.items()}
    if isinstance(value, list):
        return [_decrypted(inner, renderer) for inner in value]
    try:
        return services().render.render_text(value, pipe=renderer) if isinstance(value, str) else value
    except SaltGError as exc:
        raise CommandExecutionError(f"Failed to decrypt pillar override: {exc}") from exc


def _types(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _types(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set)):
        return type(value)(_types(inner) for inner in value)
    return f"<{type(value).__name__}>"
