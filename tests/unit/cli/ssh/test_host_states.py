"""`state.low` of hosts."""

import pytest

from salt_g import api
from salt_g.cli.ssh.host_states import as_run, of_host
from salt_g.errors import CommandExecutionError, PillarError


@pytest.mark.parametrize(("result", "code"), [(True, 0), (None, 0), (False, 2)])
def test_a_state_is_a_run_of_one(call_context, result, code):
    call_context()
    run = as_run(lambda data: {"result": result, "name": data["name"]})

    found = run({"state": "cmd", "fun": "run", "name": "echo"})

    assert found == {"cmd_|-echo_|-echo_|-run": {"result": result, "name": "echo"}}
    assert (api.current().scratch["retcode"], run.__outputter__) == (code, "highstate")


def test_errors_stay_a_list(call_context):
    call_context()

    assert as_run(lambda data: ["no"])({"name": "x"}) == ["no"]


def test_errors_of_pillar_are_shown_as_a_list():
    def show():
        raise CommandExecutionError("pillar") from PillarError(["Rendering SLS 'a' failed."])

    assert of_host("state.show_sls", show)() == [
        "Pillar failed to render with the following messages:",
        "Rendering SLS 'a' failed.",
    ]
    with pytest.raises(CommandExecutionError):
        of_host("state.show_top", show)()
