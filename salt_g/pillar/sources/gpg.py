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
from salt_g.shapes import PillarDict


def gpg(minion_id: str, pillar: PillarDict, *_: Any, **__: Any) -> PillarDict:
    """Return the pillar with each PGP message decrypted with the keys of `gpg_keydir`."""
    request = RenderRequest(api.current().opts, api.services().files)
    opened: PillarDict = renderer.render(copy.deepcopy(pillar), request)
    return opened
