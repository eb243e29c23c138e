"""State runs of `salt-g call` without a master that keep what they read, for `salt-g impact --local`."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection

from salt_g import api
from salt_g.api import CallContext
from salt_g.cli.call.invocation import CannotCall, Returned
from salt_g.cli.call.invocation import invoke as invoke_plainly
from salt_g.loader.arguments import parse_words
from salt_g.report import local_reads, state_calls
from salt_g.report.reads import Reads

log = logging.getLogger(__name__)


def invoke(
    context: CallContext, name: str, words: list[str], *, unparsed: Collection[str] = ()
) -> Returned | CannotCall:
    """Call a function as `invocation.invoke` does, and keep what it read if it ran states of the tree."""
    args, kwargs = parse_words(words, unparsed=unparsed)
    call = state_calls.text_of(name, args, kwargs)
    if not call:
        return invoke_plainly(context, name, words, unparsed=unparsed)
    reads = Reads()
    with api.use(context.replace(reads=reads)) as recorded:
        result = invoke_plainly(recorded, name, words, unparsed=unparsed)
    if isinstance(result, Returned) and reads.names():
        try:
            local_reads.keep(str(context.opts["cachedir"]), call, time.time(), reads.names())
        except OSError as exc:
            log.warning("what %s read is not kept: %s", name, exc)
    return result
