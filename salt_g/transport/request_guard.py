"""One message of one peer: call the handler, and turn whatever it raises into a refusal.

Why its own file: it is the same for sockets and for the transport in memory, and one of the
three places where any error is caught.
"""

from __future__ import annotations

import logging

import gevent

from salt_g.errors import WireError
from salt_g.transport.protocols import Arrival, Handler, Postponed, Unanswered
from salt_g.wire.packing import pack

log = logging.getLogger(__name__)

#: What a peer hears when the fault is ours.
FAULT = "Some exception handling minion payload"


def answer(handler: Handler, arrival: Arrival) -> bytes | None:
    """Return the handler's answer, or the refusal for what it raised; None to leave the peer without one."""
    try:
        return handler(arrival)
    except Postponed as exc:
        log.debug("%s: a message of %d bytes is postponed: %s", arrival.address, len(arrival.payload), exc)
        return None
    except Unanswered as exc:
        log.info(
            "%s: a message of %d bytes is left unanswered: %s", arrival.address, len(arrival.payload), exc
        )
        return None
    except WireError as exc:
        log.info("%s: refused a message of %d bytes: %s", arrival.address, len(arrival.payload), exc)
        return pack(exc.answer)
    # A time limit of gevent and what sys.exit raises are no Exceptions; they end this request only as well.
    except (Exception, SystemExit, gevent.Timeout):
        log.exception("%s: a message of %d bytes was not served", arrival.address, len(arrival.payload))
        return pack(FAULT)
