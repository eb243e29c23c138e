"""Grains from resolv.conf."""

from salt_g.grains.dns import dns


def test_the_servers_of_resolved_come_before_its_stub(tree):
    root = tree(
        {
            "/etc/resolv.conf": "nameserver 127.0.0.53\n",
            "/run/systemd/resolve/resolv.conf": "nameserver 192.0.2.1\n",
        }
    )

    assert dns(root)["dns"]["nameservers"] == ["192.0.2.1"]


def test_without_a_file_there_is_no_grain(tmp_path):
    assert dns(str(tmp_path)) == {}
