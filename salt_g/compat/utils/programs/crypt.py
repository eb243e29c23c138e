"""Stock's `salt.utils.crypt`: decryption of values in data, and fingerprints."""

from typing import Any

from salt_g import api
from salt_g.compat.crypt import pem_finger
from salt_g.errors import InvocationError


def decrypt(
    data: Any,
    rend: str | None = None,
    translate_newlines: bool = False,
    renderers: Any = None,
    opts: Any = None,
    valid_rend: Any = None,
) -> Any:
    """Return data with its texts decrypted by a renderer such as `gpg`, in dicts and lists at any depth.

    Raises InvocationError for a renderer that is not in `valid_rend`, by default `decrypt_pillar_renderers`.
    """
    settings = api.opts if opts is None else opts
    wanted = rend or settings.get("decrypt_pillar_default") or "gpg"
    valid = valid_rend or settings.get("decrypt_pillar_renderers")
    if valid and wanted not in valid:
        choices = ", ".join(map(str, valid))
        raise InvocationError(f"'{wanted}' is not a valid decryption renderer. Valid choices are: {choices}")
    return _decrypted(data, wanted, translate_newlines)


def _decrypted(data: Any, renderer: str, translate_newlines: bool) -> Any:
    if isinstance(data, dict):
        return {key: _decrypted(value, renderer, translate_newlines) for key, value in data.items()}
    if isinstance(data, list):
        return [_decrypted(value, renderer, translate_newlines) for value in data]
    if not isinstance(data, str):
        return data
    text = data.replace("\\n", "\n") if translate_newlines else data
    return api.services().render.render_text(text, pipe=renderer, saltenv="base", sls="")


__all__ = ["decrypt", "pem_finger"]
