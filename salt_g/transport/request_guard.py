"""Error guard around the handler of one message: an exception becomes a refusal or silence.

Shared by the sockets and the in-memory transport.
"""

from __future__ import annotations

import logging

import gevent

from salt_g.errors import WireError
from salt_g.transport.protocols import Arrival, Handler, Postponed, Unanswered
from salt_g.wire.packing import pack

log = logging.getLogger(__name__)

#: Answer to a peer after an internal error.
FAULT = "Some exception handling minion payload"


def answer(handler: Handler, arrival: Arrival) -> bytes | None:
    """Return the handler's answer, a refusal if it raised an exception, or None if it must not reply."""
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
    # gevent timeouts and SystemExit are not subclasses of Exception; they, too, must end only this request.
    except (Exception, SystemExit, gevent.Timeout):
        log.exception("%s: a message of %d bytes was not served", arrival.address, len(arrival.payload))
        return pack(FAULT)
