"""State for unpacked archives.

Begin with `extracted.py`; `extraction.py` holds the record of one extraction, `checks.py` rejects wrong
arguments, `comparing.py` decides whether anything needs unpacking, `unpacking.py` unpacks.
"""

from salt_g.states.archive.extracted import extracted

__all__ = ["extracted"]
