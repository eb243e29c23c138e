"""Reversal of a state run's changes, see docs/undo.md."""

from __future__ import annotations

from salt_g.api import current, services
from salt_g.data import jid as jids
from salt_g.modules.state._options import default_test
from salt_g.shapes.undo import UndoReply


def undo(jid: str | int, test: bool | None = None, force: bool = False) -> UndoReply:
    """Revert what a state run changed: files, links, directories, owners, modes, services.

    Services that the run restarted because of its changes are restarted with the old files. `jid` is the
    job id of the run, or `last`. A path that was changed since is kept, unless `force` is set. With `test`
    nothing is changed. Packages, users and commands are not reverted; the result names them. For a run on a
    resource, services are reverted, and files if the resource's type records them.

    Example::

        salt-g state.undo last test=True
    """
    context = current()
    is_test = default_test() if test is None else bool(test)
    job = {"arg": [], "tgt": "salt-call", "tgt_type": "glob", "ret": "", **context.job, "fun": "state.undo"}
    job.setdefault("jid", jids.make())
    engine = services().states
    with engine.lock.held(job):
        reply: UndoReply = engine.undo(str(jid), test=is_test, force=bool(force))
    return reply
