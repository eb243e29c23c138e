"""`postgres`: PostgreSQL through the program psql, and Debian's clusters. Begin with `users` and `databases`.

Most functions take, besides their own arguments, the connection parameters `user` (a role), `host` (a name,
or the directory of a socket), `port`, `maintenance_db`, `password`, `runas` (the system user to run psql as,
by default `postgres` for a local server); other missing ones come from the settings `postgres.user`,
`postgres.host`, `postgres.port`, `postgres.maintenance_db` and `postgres.pass`.
"""

from __future__ import annotations

from salt_g.modules._programs import is_installed
from salt_g.modules.postgres._psql import program
from salt_g.modules.postgres.clusters import (
    cluster_create,
    cluster_exists,
    cluster_list,
    cluster_remove,
)
from salt_g.modules.postgres.databases import (
    db_alter,
    db_create,
    db_exists,
    db_list,
    db_remove,
    owner_to,
)
from salt_g.modules.postgres.datadirs import (
    datadir_exists,
    datadir_init,
)
from salt_g.modules.postgres.extensions import (
    available_extensions,
    create_extension,
    create_metadata,
    drop_extension,
    get_available_extension,
    get_installed_extension,
    installed_extensions,
    is_available_extension,
    is_installed_extension,
)
from salt_g.modules.postgres.groups import (
    group_create,
    group_remove,
    group_update,
)
from salt_g.modules.postgres.languages import (
    language_create,
    language_exists,
    language_list,
    language_remove,
)
from salt_g.modules.postgres.privileges import (
    has_privileges,
    privileges_grant,
    privileges_list,
    privileges_revoke,
)
from salt_g.modules.postgres.querying import (
    psql_query,
    version,
)
from salt_g.modules.postgres.schemas import (
    schema_create,
    schema_exists,
    schema_get,
    schema_list,
    schema_remove,
)
from salt_g.modules.postgres.tablespaces import (
    tablespace_alter,
    tablespace_create,
    tablespace_exists,
    tablespace_list,
    tablespace_remove,
)
from salt_g.modules.postgres.users import (
    is_password,
    role_get,
    user_create,
    user_exists,
    user_list,
    user_remove,
    user_update,
)

__virtualname__ = "postgres"

__all__ = [
    "available_extensions",
    "cluster_create",
    "cluster_exists",
    "cluster_list",
    "cluster_remove",
    "create_extension",
    "create_metadata",
    "datadir_exists",
    "datadir_init",
    "db_alter",
    "db_create",
    "db_exists",
    "db_list",
    "db_remove",
    "drop_extension",
    "get_available_extension",
    "get_installed_extension",
    "group_create",
    "group_remove",
    "group_update",
    "has_privileges",
    "installed_extensions",
    "is_available_extension",
    "is_installed_extension",
    "is_password",
    "language_create",
    "language_exists",
    "language_list",
    "language_remove",
    "owner_to",
    "privileges_grant",
    "privileges_list",
    "privileges_revoke",
    "psql_query",
    "role_get",
    "schema_create",
    "schema_exists",
    "schema_get",
    "schema_list",
    "schema_remove",
    "tablespace_alter",
    "tablespace_create",
    "tablespace_exists",
    "tablespace_list",
    "tablespace_remove",
    "user_create",
    "user_exists",
    "user_list",
    "user_remove",
    "user_update",
    "version",
]


def __virtual__() -> bool | tuple[bool, str]:
    if program("psql") or is_installed("pg_createcluster"):
        return True
    return False, "psql was not found: install the package postgresql-client, or set postgres.bins_dir"
