"""Beacons that compare the present state with the last, and function returns."""

import datetime
import json
import os
import shutil
import subprocess
import sys

import pytest

from salt_g.beacons import cert_info, network_settings, pkg, salt_monitor, swapusage, watchdog


@pytest.fixture(autouse=True)
def in_a_call(call_context):
    """Enter a call: beacons keep data in its scratch."""
    return call_context()


def test_swap_is_compared_with_a_threshold():
    (result,) = swapusage.beacon([{"percent": "0%"}])

    assert 0 <= result["swapusage"] <= 100
    assert swapusage.beacon([{"percent": 100.1}]) == []


@pytest.fixture
def packages(call_context):
    """Return a function that runs rounds of the beacon `pkg`.

    There is one for each (installed, newer) versions of bash and zsh.
    """

    def rounds(states, **options):
        left, calls = list(states), []

        def several(found, names):
            return (
                found.get(names[0], "") if len(names) == 1 else {name: found.get(name, "") for name in names}
            )

        def version(*names, use_context):
            assert use_context is False
            return several(left[0][0], names)

        def latest_version(*names, refresh):
            calls.append((names, refresh))
            return several(left[0][1], names)

        call_context(functions={"pkg.version": version, "pkg.latest_version": latest_version})
        seen = []
        while left:
            seen.append(pkg.beacon([{"pkgs": ["bash", "zsh"]}, options]))
            left.pop(0)
        return seen, calls

    return rounds


def test_packages_are_reported_when_their_status_changes(packages):
    result, calls = packages(
        [
            ({"bash": "1"}, {}),
            ({"bash": "1"}, {"bash": "2"}),
            ({"bash": "1"}, {"bash": "2"}),
            ({"bash": "2", "zsh": "5"}, {}),
            ({"zsh": "5"}, {}),
        ]
    )

    assert result == [
        [],
        [{"pkg": "bash", "version": "2", "status": "upgrade"}],
        [],
        [
            {"pkg": "bash", "version": "2", "status": "installed"},
            {"pkg": "zsh", "version": "5", "status": "installed"},
        ],
        [{"pkg": "bash", "version": None, "status": "not-installed"}],
    ]
    assert calls[0] == (("bash",), False)
    assert calls[3] == (("bash", "zsh"), False)


def test_packages_are_asked_for_at_their_repositories_when_that_is_wanted(packages):
    _, calls = packages([({"bash": "1"}, {})], refresh=True)

    assert calls == [(("bash",), True)]


def test_functions_that_return_something_are_reported(call_context):
    call_context(
        functions={
            "a.echo": lambda *args, **kwargs: (args, kwargs),
            "a.nothing": list,
            "a.one": lambda: 1,
        }
    )
    wanted = ["a.one", "a.nothing", {"a.echo": {"args": [1], "kwargs": [{"b": 2}, {"c": 3}]}}]

    assert salt_monitor.validate([{"salt_fun": wanted}]) == (True, "valid config")
    assert salt_monitor.beacon([{"salt_fun": wanted}]) == [
        {"salt_fun": "a.one", "ret": 1},
        {"salt_fun": "a.echo", "ret": ((1,), {"b": 2, "c": 3}), "args": [1], "kwargs": {"b": 2, "c": 3}},
    ]
    assert salt_monitor.beacon([{"salt_fun": "a.nothing"}]) == [{"salt_fun": "a.nothing", "ret": []}]


def watched(path, **wanted):
    return [{"directories": {str(path): wanted}}, {"_beacon_name": "watchdog"}]


@pytest.fixture
def directory(tmp_path):
    """Yield a watched directory and the rounds of its beacon, as {(name, change)}."""
    below = tmp_path / "watched"
    below.mkdir()
    configs = []

    def round(**wanted):
        config = watched(below, **wanted)
        configs.append(config)
        result = watchdog.beacon(config)
        assert {event["tag"] for event in result} <= {"watchdog"}
        return {(os.path.relpath(event["path"], below), event["change"]) for event in result}

    yield below, round
    watchdog.close(configs[-1])


def test_watchdog_reports_what_happens_in_a_directory(directory, tmp_path):
    below, round = directory
    assert round() == set()

    (below / "a").write_text("x")
    assert round() == {("a", "created"), ("a", "modified"), (".", "modified")}
    (below / "a").rename(below / "b")
    assert round() == {("a", "moved"), (".", "modified")}
    (below / "b").rename(tmp_path / "b")
    assert round() == {("b", "deleted"), (".", "modified")}
    (tmp_path / "b").rename(below / "c")
    assert round() == {("c", "created"), (".", "modified")}
    (below / "c").unlink()
    assert round() == {("c", "deleted"), (".", "modified")}


def test_watchdog_reports_what_its_mask_names(directory):
    below, round = directory
    round(mask=["delete"])

    (below / "a").write_text("x")
    (below / "a").unlink()

    assert round(mask=["delete"]) == {("a", "deleted")}


def test_watchdog_waits_for_a_directory_and_sees_it_come_again(directory):
    below, round = directory
    below.rmdir()
    assert round() == set()

    for _ in range(2):
        below.mkdir()
        round()
        (below / "a").mkdir()
        assert ("a", "created") in round()
        (below / "a").rmdir()
        below.rmdir()
        assert (".", "deleted") in round()


@pytest.fixture
def certificate(tmp_path):
    """Return a function that writes a certificate valid for this many days and returns its path."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding

    def write(name, days):
        now = datetime.datetime.now(datetime.timezone.utc)
        key = ec.generate_private_key(ec.SECP256R1())
        oid = x509.oid.NameOID
        subject = x509.Name(
            [x509.NameAttribute(oid.ORGANIZATION_NAME, "Org"), x509.NameAttribute(oid.COMMON_NAME, name)]
        )
        made = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(42)
            .not_valid_before(now - datetime.timedelta(days=400))
            .not_valid_after(now + datetime.timedelta(days=days, hours=1))
            .add_extension(x509.BasicConstraints(ca=True, path_length=1), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("example.org")]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(key, hashes.SHA256())
        )
        path = tmp_path / name
        path.write_bytes(made.public_bytes(Encoding.PEM))
        return str(path)

    return write


def reported_certificates(files, **options):
    result = cert_info.beacon([{"files": files}, options])
    return [item for event in result for item in event["certificates"]]


def test_certificates_are_reported_before_they_expire(certificate):
    near, far, past = certificate("near", 10), certificate("far", 100), certificate("past", -3)

    result = reported_certificates([near, far, past])

    assert [(item["cert_path"], item["has_expired"]) for item in result] == [(near, False), (past, True)]
    assert [
        item["cert_path"]
        for item in reported_certificates([{near: {"notify_days": 5}}, {far: {"notify_days": 200}}])
    ] == [far]
    assert [item["cert_path"] for item in reported_certificates([far], notify_days=-1)] == [far]
    assert cert_info.beacon([{"files": [far]}]) == []


def test_a_certificate_is_reported_in_the_words_of_openssl(certificate):
    path = certificate("example.org", 10)

    (result,) = reported_certificates([path])

    assert (
        result.items()
        >= {
            "issuer": 'O="Org",CN="example.org"',
            "issuer_dict": {"O": "Org", "CN": "example.org"},
            "subject": 'O="Org",CN="example.org"',
            "subject_dict": {"O": "Org", "CN": "example.org"},
            "serial_number": 42,
            "signature_algorithm": "ecdsa-with-SHA256",
            "version": 2,
        }.items()
    )
    assert result["extensions"] == [
        {"ext_name": "basicConstraints", "ext_data": "CA:TRUE, pathlen:1"},
        {"ext_name": "subjectAltName", "ext_data": "DNS:example.org"},
        {"ext_name": "extendedKeyUsage", "ext_data": "TLS Web Server Authentication"},
    ]
    ends = datetime.datetime.strptime(result["notAfter"], "%Y-%m-%d %H:%M:%SZ")
    assert result["notAfter_raw"] == f"{ends:%Y%m%d%H%M%SZ}"


def test_files_without_a_certificate_are_logged_and_hold_up_no_other(certificate, tmp_path, caplog):
    near = certificate("near", 10)
    (tmp_path / "text").write_text("no certificate")

    result = reported_certificates([str(tmp_path / "none"), str(tmp_path / "text"), near])

    assert [item["cert_path"] for item in result] == [near]
    assert [record.message.split(" (")[0] for record in caplog.records] == [
        f"Unable to load certificate {tmp_path / 'none'}",
        f"Unable to load certificate {tmp_path / 'text'}",
    ]


def interfaces(monkeypatch, rounds, config):
    """Return the reports of rounds over fake interfaces."""
    seen = []
    for now in rounds:
        monkeypatch.setattr(network_settings, "links", lambda now=now: now)
        seen.append(network_settings.beacon(config))
    return seen


def link(**values):
    return {"mtu": 1500, "promiscuity": 0, "ipaddr": [["192.0.2.1", 24]], **values}


def test_changes_of_interfaces_are_reported(monkeypatch):
    config = [
        {"interfaces": {"eth0": {"ipaddr": None, "promiscuity": {"onvalue": 1}}, "wlan.*": {"mtu": None}}}
    ]
    rounds = [
        {"eth0": link(), "eth1": link()},
        {"eth0": link(mtu=9000, ipaddr=[]), "eth1": link(ipaddr=[]), "wlan0": link()},
        {"eth0": link(mtu=9000, ipaddr=[], promiscuity=1), "wlan0": link(mtu=1400)},
        {"eth0": link(mtu=9000, ipaddr=[], promiscuity=0), "wlan0": link(mtu=1400)},
    ]

    assert interfaces(monkeypatch, rounds, config) == [
        [],
        [{"tag": "eth0", "interface": "eth0", "change": {"ipaddr": []}}],
        [
            {"tag": "eth0", "interface": "eth0", "change": {"promiscuity": 1}},
            {"tag": "wlan0", "interface": "wlan0", "change": {"mtu": 1400}},
        ],
        [],
    ]


def test_changes_of_interfaces_are_reported_as_one(monkeypatch):
    config = [{"interfaces": {"*": {"mtu": None}}}, {"coalesce": True}]
    rounds = [{"a": link(), "b": link()}, {"a": link(mtu=1), "b": link(mtu=2)}]

    assert interfaces(monkeypatch, rounds, config) == [
        [],
        [{"tag": "result", "changes": {"a": {"mtu": 1}, "b": {"mtu": 2}}}],
    ]


IN_A_NAMESPACE = """
import json, subprocess
from salt_g.beacons import _links
def ip(*words):
    subprocess.run(["ip", *words], check=True)
ip("link", "set", "lo", "mtu", "1400")
ip("address", "add", "192.0.2.7/24", "dev", "lo")
ip("link", "set", "lo", "up", "promisc", "on")
print(json.dumps(_links.links()["lo"]))
"""


def test_interfaces_are_read_from_the_kernel():
    words = ["unshare", "--map-root-user", "--net", sys.executable, "-c", IN_A_NAMESPACE]
    if (
        not shutil.which("ip")
        or subprocess.run([*words[:3], "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("network namespaces cannot be made here")

    finished = subprocess.run(words, check=True, capture_output=True, text=True)

    found = json.loads(finished.stdout)
    assert (found["mtu"], found["promiscuity"], found["kind"]) == (1400, 1, None)
    assert ["192.0.2.7", 24] in found["ipaddr"]
    assert found.keys() == network_settings.ATTRIBUTES


@pytest.mark.parametrize(
    ("beacon", "config", "comment"),
    [
        (swapusage, {}, "Configuration for swapusage beacon must be a list."),
        (swapusage, [], "Configuration for swapusage beacon requires percent."),
        (pkg, {}, "Configuration for pkg beacon must be a list."),
        (pkg, [{"pkgs": "bash"}], "Configuration for pkg beacon requires list of pkgs."),
        (watchdog, [], "Configuration for watchdog beacon must include directories."),
        (
            watchdog,
            [{"directories": []}],
            "Configuration for watchdog beacon directories must be a dictionary.",
        ),
        (
            watchdog,
            [{"directories": {"/": None}}],
            "Configuration for watchdog beacon directory path must be a dictionary.",
        ),
        (watchdog, watched("/", mask="create"), "Configuration for watchdog beacon mask must be list."),
        (watchdog, watched("/", mask=["x"]), "Configuration for watchdog beacon contains invalid mask"),
        (cert_info, [], "Configuration for cert_info beacon must contain files option."),
        (cert_info, [{"files": "/a"}], "Configuration for cert_info beacon: files must be a list."),
        (
            cert_info,
            [{"files": [{"/a": {"notify_days": "x"}}]}],
            "Configuration for cert_info beacon: notify_days of /a must be a number.",
        ),
        (
            network_settings,
            [{"interfaces": ["eth0"]}],
            "interfaces section for network_settings beacon must be a dictionary.",
        ),
        (
            network_settings,
            [{"interfaces": {"eth0": None}}],
            "Interface attributes for network_settings beacon must be a dictionary.",
        ),
        (
            network_settings,
            [{"interfaces": {"eth0": {"speed": None}}}],
            "Invalid attributes in beacon configuration. 'speed' of eth0 is none of address, ",
        ),
        (
            network_settings,
            [{"interfaces": {"eth(": {"mtu": None}}}],
            "Interface 'eth(' of network_settings beacon: regular expression",
        ),
        (salt_monitor, [], "Configuration for salt_monitor beacon requires salt_fun"),
        (salt_monitor, [{"salt_fun": "no.such"}], "no.such is not an available execution function"),
        (salt_monitor, [{"salt_fun": [{"a.b": {"args": 1}}]}], "args key for fun a.b must be list"),
        (
            salt_monitor,
            [{"salt_fun": [{"a.b": {"kwargs": [1]}}]}],
            "1 is not a key / value pair",
        ),
        (salt_monitor, [{"salt_fun": [{"a.b": {"x": []}}]}], "key x not allowed under fun a.b"),
        (salt_monitor, [{"salt_fun": [{"a": {}, "b": {}}]}], "{'a': {}, 'b': {}} is not one function"),
    ],
)
def test_settings_that_cannot_be_used_are_named(beacon, config, comment):
    valid, message = beacon.validate(config)

    assert valid is False
    assert message.startswith(comment)
