"""Recording of what state runs of `salt-g call` read without a master, for `salt-g impact --local`."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from functools import partial

from salt_g import api
from salt_g.api import CallContext
from salt_g.cli.call.invocation import CannotCall, Returned
from salt_g.cli.call.invocation import invoke as invoke_plainly
from salt_g.loader.arguments import parse_words
from salt_g.report import state_calls
from salt_g.report.recording import local_reads
from salt_g.report.recording.known_run_files import KnownRunFiles, about_of
from salt_g.report.recording.known_runs import KnownRuns
from salt_g.report.recording.reads import Reads

log = logging.getLogger(__name__)


def invoke(
    context: CallContext, name: str, words: list[str], *, unparsed: Collection[str] = ()
) -> Returned | CannotCall:
    """Call a function like `invocation.invoke`; if it runs states of the tree, save the read-set."""
    args, kwargs = parse_words(words, unparsed=unparsed)
    call = state_calls.text_of(name, args, kwargs)
    if not call:
        return invoke_plainly(context, name, words, unparsed=unparsed)
    opts = context.opts
    files = KnownRunFiles(str(opts["cachedir"]), partial(about_of, opts))
    reads = Reads(KnownRuns(files=files), f"{name} {words!r}")
    with api.use(context.replace(reads=reads)) as recorded:
        result = invoke_plainly(recorded, name, words, unparsed=unparsed)
    reads.remember()
    if isinstance(result, Returned):
        _keep(str(opts["cachedir"]), call, reads)
    return result


def _keep(cachedir: str, call: str, reads: Reads) -> None:
    try:
        state, now = reads.digest_of_state(), time.time()
        if not local_reads.renew(cachedir, call, now, state) and (names := reads.names()):
            local_reads.keep(cachedir, call, now, names, state)
    except OSError as exc:
        log.warning("cannot keep a record of what %s has read: %s", state_calls.shown(call), exc)
