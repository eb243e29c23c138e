"""States of users.

Begin with `present.py`; `params.py` holds the parameters, `difference.py` compares, `apply.py` changes the
user.
"""

from salt_g.states.user.absent import absent
from salt_g.states.user.present import present

__all__ = ["absent", "present"]
