"""Rosters in a call of a master, with settings and files of a test."""

import pytest

from salt_g import api, config
from salt_g.local_call import local_context


@pytest.fixture
def targets(tmp_path):
    """Return a function: `targets("flat", "web*", roster_file=...)` returns the hosts of a roster."""

    def ask(roster, tgt="*", tgt_type="glob", **settings):
        opts = config.load("master", str(tmp_path), {"root_dir": str(tmp_path)}, asks_for_id=False).opts
        context = local_context({**opts, **settings})
        with api.use(context):
            return context.table("roster")[f"{roster}.targets"](tgt, tgt_type)

    return ask
