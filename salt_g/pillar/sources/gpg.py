"""External pillar `gpg`: the pillar so far, with its encrypted values decrypted.

Usually the last entry, after sources with encrypted values:

    ext_pillar:
      - stack: /path/to/stack.cfg
      - gpg: {}
"""

from __future__ import annotations

import copy
from typing import Any

from salt_g import api
from salt_g.render import gpg as renderer
from salt_g.render.request import RenderRequest


def gpg(minion_id: str, pillar: dict[str, Any], *_: Any, **__: Any) -> dict[str, Any]:
    """Return the pillar with each PGP message decrypted with the keys of `gpg_keydir`."""
    request = RenderRequest(api.current().opts, api.services().files)
    opened: dict[str, Any] = renderer.render(copy.deepcopy(pillar), request)
    return opened
