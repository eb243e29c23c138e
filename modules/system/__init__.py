"""The machine as a whole: power (`power.py`), clock (`clock.py`), names (`names.py`)."""

from salt_g.modules.system.clock import (
    get_system_date,
    get_system_date_time,
    get_system_time,
    has_settable_hwclock,
    set_system_date,
    set_system_date_time,
    set_system_time,
)
from salt_g.modules.system.names import (
    get_computer_desc,
    get_computer_name,
    set_computer_desc,
    set_computer_name,
)
from salt_g.modules.system.power import halt, init, poweroff, reboot, shutdown

__all__ = [
    "get_computer_desc",
    "get_computer_name",
    "get_system_date",
    "get_system_date_time",
    "get_system_time",
    "halt",
    "has_settable_hwclock",
    "init",
    "poweroff",
    "reboot",
    "set_computer_desc",
    "set_computer_name",
    "set_system_date",
    "set_system_date_time",
    "set_system_time",
    "shutdown",
]
