"""SELinux states without effect: test mode, and already correct values."""

import pytest

from salt_g.states import selinux


@pytest.fixture
def policy(call_context):
    """Return the results of a policy without any rules."""
    call_context(
        functions={
            "selinux.getenforce": lambda: "Enforcing",
            "selinux.filetype_id_to_string": lambda filetype: "all files",
            "selinux.fcontext_get_policy": lambda **which: None,
            "selinux.fcontext_policy_is_applied": lambda name, recursive: "would relabel /srv/www",
            "selinux.port_get_policy": lambda **which: None,
        },
        opts={"test": True},
    )


@pytest.mark.parametrize(
    ("state", "arguments"),
    [
        (selinux.fcontext_policy_present, {"name": "/srv/www", "sel_type": "httpd_sys_content_t"}),
        (selinux.fcontext_policy_applied, {"name": "/srv/www"}),
        (selinux.port_policy_present, {"name": "tcp/8080", "sel_type": "http_port_t"}),
    ],
)
def test_in_test_mode_what_is_missing_is_reported_without_a_word(policy, state, arguments):
    result = state(**arguments)

    assert (result["result"], result["comment"], result["changes"]) == (None, "", {})


def test_a_port_without_a_policy_is_already_absent(policy):
    assert selinux.port_policy_absent("tcp/8080")["result"] is True
