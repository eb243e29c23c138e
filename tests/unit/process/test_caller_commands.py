"""Commands as callers pass them."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.process.caller_commands import as_typed, check_permitted


def test_a_command_is_read_as_it_was_typed():
    assert [as_typed(given) for given in (True, False, 7, "ls -l")] == ["true", "false", "7", "ls -l"]
    assert as_typed(["echo", 1]) == ["echo", 1]


@pytest.mark.parametrize(
    ("cmd", "refused", "allowed", "why"),
    [
        ("rm -r /", ["rm *"], [], "it matches 'rm [*]' in cmd_blacklist_glob"),
        (["rm", "-r", 1], ["rm *"], ["*"], "it matches 'rm [*]' in cmd_blacklist_glob"),
        ("id", [], ["ls*"], "it matches nothing in cmd_whitelist_glob"),
    ],
)
def test_a_command_that_the_globs_forbid_is_refused_with_the_setting(cmd, refused, allowed, why):
    with pytest.raises(CommandExecutionError, match=f'The shell command ".*" is not permitted: {why}'):
        check_permitted(cmd, refused, allowed)


@pytest.mark.parametrize("allowed", [[], ["ls*"]])
def test_other_commands_are_permitted(allowed):
    check_permitted("ls -l", ["rm *"], allowed)
