from salt_g.loader import other_platforms


def test_plugins_of_other_systems_are_known_by_name():
    assert other_platforms.system_of("win_firewall") == "Windows"
    assert other_platforms.system_of("macpackage") == "macOS"
    assert other_platforms.why_unavailable("sysrc") == (
        "'sysrc' __virtual__ returned False: not available on this system, only on FreeBSD"
    )


def test_an_unknown_name_gets_no_reason():
    assert other_platforms.why_unavailable("nosuch") == ""
