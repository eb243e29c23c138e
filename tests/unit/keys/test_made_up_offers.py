"""Offers with invented invitation codes, which are checked in memory."""

from salt_g.keys import invitations as room
from salt_g.keys.invitations import Invitations
from salt_g.process import disk
from salt_g.wire.invitation import InvitationOffer


def test_made_up_offers_are_written_and_read_seldom(tmp_path, monkeypatch):
    written, read, moment = [], [], [1000.0]

    def write(path, text):
        written.append(path)
        disk.write_whole(path, text)

    parsed = room._parsed
    monkeypatch.setattr(room, "_parsed", lambda descriptor: read.append(1) or parsed(descriptor))
    kept = Invitations(str(tmp_path), write=write, clock=lambda: moment[0])
    kept.make(lifetime=3600)
    written.clear()

    for number in range(500):
        assert kept.redeem(InvitationOffer(f"{number:08}", "0" * 64), f"m{number % 7}", "pem")

    assert len(written) == room.REFUSALS
    assert len(read) <= 3 * room.REFUSALS + 2
    moment[0] += room.REFUSALS_TIME
    assert kept.redeem(InvitationOffer("aaaaaaaa", "0" * 64), "late", "pem")
    assert "late" in kept.refused()
