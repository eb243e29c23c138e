"""Keys and invitations of a stopped master, read from its directory."""

from salt_g.client.keys.key_files import changing_invitations, key_files, open_invitations


def test_they_are_below_pki_dir(tmp_path):
    opts = {"pki_dir": str(tmp_path)}

    assert key_files(opts).pki_dir == str(tmp_path)
    assert open_invitations(opts).all() == []
    with changing_invitations(opts) as invitations:
        number = invitations.make(lifetime=60.0, by="test").number
    assert [each.number for each in open_invitations(opts).all()] == [number]
