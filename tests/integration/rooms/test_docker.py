"""Docker's functions and states against a fake engine (`docker_stand_in`)."""

import importlib.util
import pathlib

import pytest

from tests.support.servers import missing

_SPEC = importlib.util.spec_from_file_location(
    "docker_stand_in", pathlib.Path(__file__).with_name("docker_stand_in.py")
)
docker_stand_in = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(docker_stand_in)


@pytest.fixture
def machine(salt_g, daemon_root):
    if importlib.util.find_spec("docker") is None:
        missing("the Python package docker")
    socket = daemon_root / "docker.sock"
    with docker_stand_in.Server(str(socket)) as server:
        salt_g.settings["docker.url"] = f"unix://{socket}"
        salt_g.engine = server.engine
        yield salt_g


def test_a_container_is_made_kept_changed_and_removed(machine):
    wish = ["docker_container.running", "web", "image=app:1", "port_bindings=8080:80", "environment=[A: 1]"]

    preview = machine.state(*wish, "test=True")
    first = machine.state(*wish)
    again = machine.state(*wish)
    other = machine.state(*wish[:-1], "environment=[A: 2]")

    assert preview["comment"] == "Container 'web' would be created"
    assert preview["result"] is None
    assert first["result"] is True, first["comment"]
    assert first["changes"]["state"] == {"old": None, "new": "running"}
    assert again["comment"] == "Container 'web' is already configured as specified"
    assert again["changes"] == {}
    assert other["changes"]["container"]["Config"]["Env"] == {"old": ["A=1"], "new": ["A=2"]}
    assert [each["Name"] for each in machine.engine.containers.values()] == ["/web"]
    (made,) = machine.engine.containers.values()
    assert made["HostConfig"]["PortBindings"] == {"80/tcp": [{"HostIp": "", "HostPort": "8080"}]}
    assert made["State"]["Running"]

    refused = machine.state("docker_container.absent", "web")
    removed = machine.state("docker_container.absent", "web", "force=True")
    gone = machine.state("docker_container.absent", "web")

    assert refused["comment"] == "Container is running, set force to True to forcibly remove it"
    assert removed["comment"] == "Forcibly removed container 'web'"
    assert gone["comment"] == "Container 'web' does not exist"


def test_a_new_image_makes_a_new_container(machine):
    machine.state("docker_container.running", "web", "image=app:1")

    result = machine.state("docker_container.running", "web", "image=app:2")

    assert result["result"] is True
    assert result["changes"]["image"]["new"] == machine.engine.offered["app:2"]
    assert "Replaced container 'web'" in result["comment"]


def test_a_container_is_stopped(machine):
    machine.state("docker_container.running", "web", "image=app:1")

    first = machine.state("docker_container.stopped", "web")
    again = machine.state("docker_container.stopped", "web")
    absent = machine.state("docker_container.stopped", "nosuch")

    assert first["comment"] == "The following container(s) were stopped: web"
    assert first["changes"]["web"]["state"] == {"old": "running", "new": "stopped"}
    assert again["comment"] == "Container 'web' is not running"
    assert absent["comment"] == "The following container(s) are absent: nosuch"


def test_a_container_runs_to_its_end_and_its_exit_code_counts(machine):
    wish = ["docker_container.run", "job", "image=app:1"]

    preview = machine.state(*wish, "test=True")
    good = machine.state(*wish, "command=/bin/true")
    taken = machine.state(*wish, "command=/bin/true")
    bad = machine.state(*wish, "command=/bin/false", "replace=True", "rm=True")
    tolerated = machine.state(*wish, "command=/bin/false", "failhard=False")
    behind = machine.state(*wish, "bg=True", "replace=True")

    assert (preview["result"], preview["comment"]) == (None, "Container would be run")
    assert (good["result"], good["changes"]["Logs"]) == (True, "/bin/true")
    assert good["comment"] == "Container ran and exited with a return code of 0"
    assert taken["comment"].endswith(
        "Container 'job' exists. Run with replace=True to remove the existing container"
    )
    assert (bad["result"], bad["changes"]["ExitCode"]) == (False, 1)
    assert bad["changes"]["Replaces"] == [good["changes"]["Id"]]
    assert tolerated["result"] is True, tolerated["comment"]
    assert behind["comment"] == "Container was run in the background"
    assert "Logs" not in behind["changes"]


def test_an_image_is_pulled_once_and_removed(machine):
    first = machine.state("docker_image.present", "app", "tag=1")
    again = machine.state("docker_image.present", "app", "tag=1")
    nosuch = machine.state("docker_image.present", "nosuch:1")
    removed = machine.state("docker_image.absent", "app:1")
    gone = machine.state("docker_image.absent", "app:1")

    assert first["comment"] == "Image 'app:1' was pulled"
    assert len(first["changes"]["Layers"]["Pulled"]) == 1
    assert again["comment"] == "Image app:1 already present"
    assert nosuch["comment"] == "Encountered error pulling nosuch:1: manifest for nosuch:1 not found"
    assert removed["changes"]["Tags"] == ["app:1"]
    assert gone["comment"] == "Image app:1 is not present"


@pytest.mark.parametrize("name", ["app", "app:1", "registry.test:5000/app"])
def test_an_image_is_pulled_by_its_digest(machine, name):
    digest = "@sha256:" + "c" * 64
    machine.engine.offered[name.removesuffix(":1") + digest] = "sha256:" + "d" * 64

    pulled = machine("docker.pull", name + digest).value

    assert list(machine.engine.images) == ["sha256:" + "d" * 64]
    assert len(pulled["Layers"]["Pulled"]) == 1


def test_a_container_is_made_from_a_digest(machine):
    image = "app@sha256:" + "c" * 64
    machine.engine.offered[image] = "sha256:" + "d" * 64

    first = machine.state("docker_container.running", "web", f"image={image}")
    again = machine.state("docker_container.running", "web", f"image={image}")

    assert first["result"] is True, first["comment"]
    assert again["changes"] == {}


def test_a_network_is_made_as_wanted_and_containers_join_it(machine):
    machine.state("docker_container.running", "web", "image=app:1")

    first = machine.state("docker_network.present", "front", "subnet=192.0.2.0/24", "containers=[web]")
    again = machine.state("docker_network.present", "front", "subnet=192.0.2.0/24", "containers=[web]")
    other = machine.state("docker_network.present", "front", "subnet=198.51.100.0/24")
    is_connected = machine("docker.connected", "front").value
    removed = machine.state("docker_network.absent", "front")

    assert first["comment"] == "Network 'front' created"
    assert again["changes"] == {}
    assert other["changes"]["subnet"] == {"old": "192.0.2.0/24", "new": "198.51.100.0/24"}
    assert is_connected == ["web"]
    assert removed["changes"] == {"removed": True, "disconnected": ["web"]}


def test_a_volume_is_made_and_removed(machine):
    first = machine.state("docker_volume.present", "data")
    again = machine.state("docker_volume.present", "data")
    other = machine.state("docker_volume.present", "data", "driver=nfs")
    removed = machine.state("docker_volume.absent", "data")

    assert first["changes"]["created"]["Name"] == "data"
    assert again["comment"] == "Volume 'data' already exists."
    assert "does not match specified driver ('nfs') and force is False" in other["comment"]
    assert removed["changes"] == {"removed": True}


def test_no_engine_and_wrong_arguments_are_reported(machine):
    machine.state("docker_image.present", "app:1")

    wrong = machine.state("docker_container.running", "web", "image=app:1", "nosuch_option=1")
    machine.settings["docker.url"] = "unix:///nosuch/docker.sock"
    absent = machine.state("docker_volume.present", "data")

    assert wrong["comment"] == "The following arguments are invalid: nosuch_option"
    assert absent["result"] is False
    assert "no Docker engine answers" in absent["comment"]
