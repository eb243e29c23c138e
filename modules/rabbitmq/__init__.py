"""`rabbitmq` through rabbitmqctl and rabbitmq-plugins, 3.8 and newer. Begin with `users`.

Every function takes `runas`, the system user to run the program as (None: the user that salt-g runs as).
"""

from __future__ import annotations

from salt_g.modules._programs import is_installed
from salt_g.modules.rabbitmq.nodes import (
    cluster_status,
    disable_plugin,
    enable_plugin,
    force_reset,
    join_cluster,
    list_available_plugins,
    list_enabled_plugins,
    plugin_is_enabled,
    reset,
    start_app,
    status,
    stop_app,
)
from salt_g.modules.rabbitmq.resources import (
    add_vhost,
    delete_policy,
    delete_upstream,
    delete_vhost,
    list_policies,
    list_queues,
    list_queues_vhost,
    list_upstreams,
    list_vhosts,
    policy_exists,
    set_policy,
    set_upstream,
    upstream_exists,
    vhost_exists,
)
from salt_g.modules.rabbitmq.users import (
    add_user,
    change_password,
    check_password,
    clear_password,
    delete_user,
    list_permissions,
    list_user_permissions,
    list_users,
    set_permissions,
    set_user_tags,
    user_exists,
)

__virtualname__ = "rabbitmq"

__all__ = [
    "add_user",
    "add_vhost",
    "change_password",
    "check_password",
    "clear_password",
    "cluster_status",
    "delete_policy",
    "delete_upstream",
    "delete_user",
    "delete_vhost",
    "disable_plugin",
    "enable_plugin",
    "force_reset",
    "join_cluster",
    "list_available_plugins",
    "list_enabled_plugins",
    "list_permissions",
    "list_policies",
    "list_queues",
    "list_queues_vhost",
    "list_upstreams",
    "list_user_permissions",
    "list_users",
    "list_vhosts",
    "plugin_is_enabled",
    "policy_exists",
    "reset",
    "set_permissions",
    "set_policy",
    "set_upstream",
    "set_user_tags",
    "start_app",
    "status",
    "stop_app",
    "upstream_exists",
    "user_exists",
    "vhost_exists",
]


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed("rabbitmqctl"):
        return True
    return False, "Module rabbitmq: module only works when RabbitMQ is installed (package rabbitmq-server)"
