"""`mysql`: MySQL and MariaDB through PyMySQL. Begin with `users` and `databases`.

Every function that connects takes, after its own arguments, the connection parameters `connection_host`,
`connection_port`, `connection_unix_socket`, `connection_user`, `connection_pass`, `connection_db`,
`connection_charset`, `connection_default_file` (a file of options like `~/.my.cnf`) and
`connection_default_group`. Without `connection_default_file`, missing ones come from the settings
`mysql.host`, `mysql.user`, and so on.
"""

from __future__ import annotations

from salt_g.modules.mysql.databases import (
    alter_db,
    db_check,
    db_create,
    db_exists,
    db_get,
    db_list,
    db_optimize,
    db_remove,
    db_repair,
    db_tables,
)
from salt_g.modules.mysql.grants import (
    grant_add,
    grant_exists,
    grant_revoke,
    quote_identifier,
    tokenize_grant,
    user_grants,
)
from salt_g.modules.mysql.plugins import (
    plugin_add,
    plugin_remove,
    plugin_status,
    plugins_list,
)
from salt_g.modules.mysql.querying import (
    file_query,
    query,
)
from salt_g.modules.mysql.status import (
    free_slave,
    get_master_status,
    get_slave_status,
    processlist,
    showglobal,
    showvariables,
    slave_lag,
    status,
    version,
)
from salt_g.modules.mysql.users import (
    user_chpass,
    user_create,
    user_exists,
    user_info,
    user_list,
    user_remove,
    verify_login,
)

__virtualname__ = "mysql"

__all__ = [
    "alter_db",
    "db_check",
    "db_create",
    "db_exists",
    "db_get",
    "db_list",
    "db_optimize",
    "db_remove",
    "db_repair",
    "db_tables",
    "file_query",
    "free_slave",
    "get_master_status",
    "get_slave_status",
    "grant_add",
    "grant_exists",
    "grant_revoke",
    "plugin_add",
    "plugin_remove",
    "plugin_status",
    "plugins_list",
    "processlist",
    "query",
    "quote_identifier",
    "showglobal",
    "showvariables",
    "slave_lag",
    "status",
    "tokenize_grant",
    "user_chpass",
    "user_create",
    "user_exists",
    "user_grants",
    "user_info",
    "user_list",
    "user_remove",
    "verify_login",
    "version",
]


def __virtual__() -> bool | tuple[bool, str]:
    from importlib.util import find_spec  # cheaper than importing PyMySQL itself

    if find_spec("pymysql") is None:
        return False, "No python mysql client installed. Install it with: pip install 'salt-g[mysql]'"
    return True
