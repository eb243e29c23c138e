"""Users as they should be.

Begin with `present.py`; `params.py` says what is wanted, `difference.py` what differs from it,
`apply.py` makes it so.
"""

from salt_g.states.user.absent import absent
from salt_g.states.user.present import present

__all__ = ["absent", "present"]
