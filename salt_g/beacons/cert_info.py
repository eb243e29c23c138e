"""Beacon: certificates in files that are about to expire.

    beacons:
      cert_info:
        - files:
            - /etc/pki/tls/certs/mycert.pem
            - /etc/pki/tls/certs/yourcert.pem:
                notify_days: 15
        - notify_days: 45
        - interval: 86400

Events begin `notify_days` days before a certificate expires (default: 45); with -1, they are always fired.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from salt_g import x509
from salt_g.beacons._settings import merged, validated
from salt_g.errors import InvocationError
from salt_g.shapes.loads import BeaconEvent

log = logging.getLogger(__name__)

_USUAL_DAYS = 45


def __virtual__() -> Any:
    """Return whether the library is available."""
    return True if x509.is_available() else (False, x509.MISSING)


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add cert_info '[{"files": ["/etc/ssl/my.pem"]}, {"interval": 86400}]'
    """
    return validated(config, "cert_info", _error)


def _error(settings: dict[str, Any]) -> str:
    if "files" not in settings:
        return "Configuration for cert_info beacon must contain files option."
    if not isinstance(settings["files"], list):
        return "Configuration for cert_info beacon: files must be a list."
    for path, days in _configured(settings):
        if not isinstance(days, int):
            return f"Configuration for cert_info beacon: notify_days of {path} must be a number."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {certificates: [...]} when any of them is about to expire.

    Example::

        salt-g beacons.list
    """
    found = [found for path, days in _configured(merged(config)) if (found := _event_data(path, days))]
    return [{"certificates": found}] if found else []


def _configured(settings: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield (path, notify_days) of each certificate."""
    usual = settings.get("notify_days", _USUAL_DAYS)
    for entry in settings["files"]:
        if isinstance(entry, dict):
            yield from ((path, (own or {}).get("notify_days", usual)) for path, own in entry.items())
        else:
            yield str(entry), usual


def _event_data(path: str, days: int) -> BeaconEvent:
    """Return the event data of a file's first certificate; {} if none is due or the file cannot be read."""
    from salt_g.beacons import _certificates  # Imported lazily: built from the library's types.

    try:
        with open(path, "rb") as file:
            certificate = x509.loading.certificate(file.read())
        left = (certificate.not_valid_after_utc - x509.times.now()).days
        if 0 <= days < left:
            return {}
        return {"cert_path": path, **_certificates.shown(certificate), "has_expired": left < 0}
    # The library raises ValueError for malformed parts of a certificate.
    except (OSError, InvocationError, ValueError) as exc:
        log.error("Unable to load certificate %s (%s)", path, exc)
        return {}
