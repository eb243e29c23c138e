"""States that a minion applies when it starts."""

import pytest

from salt_g.minion.background.startup_states import startup_job
from salt_g.minion.settings import StartupStateSettings


@pytest.mark.parametrize(
    ("opts", "fun", "arg"),
    [
        ({"startup_states": "highstate"}, "state.highstate", []),
        ({"startup_states": "sls", "sls_list": ["a", "b"]}, "state.sls", [["a", "b"]]),
        ({"startup_states": "sls"}, "state.sls", [[]]),
        ({"startup_states": "top", "top_file": "salt://top.sls"}, "state.top", ["salt://top.sls"]),
        ({"startup_states": "top", "top_file": None}, "state.top", [""]),
        ({"startup_states": "what"}, "state.highstate", []),
    ],
)
def test_the_setting_names_the_job(opts, fun, arg):
    job = startup_job(StartupStateSettings.of(opts))

    assert (job["fun"], job["arg"], job["return_jid"], job["ret"]) == (fun, arg, "req", "")


@pytest.mark.parametrize("wanted", [None, "", False])
def test_without_it_nothing_runs(wanted):
    assert startup_job(StartupStateSettings.of({"startup_states": wanted})) is None


def test_the_return_goes_to_the_job_cache_of_the_settings():
    settings = StartupStateSettings("highstate", ext_job_cache="redis")

    assert startup_job(settings)["ret"] == "redis"
