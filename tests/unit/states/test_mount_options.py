from salt_g.states.mount._options import differing

ACTIVE = {"opts": ["rw", "relatime"], "superopts": ["rw", "size=1024k"]}


def test_options_that_are_there_do_not_differ():
    assert differing(["rw", "size=1m", "defaults", "_netdev"], ACTIVE, "tmpfs", {}) == []


def test_options_that_are_not_there_differ():
    assert differing(["ro", "size=2m"], ACTIVE, "tmpfs", {}) == ["ro", "size=2048k"]


def test_hidden_options_are_the_states_to_name():
    assert differing(["secret"], ACTIVE, "tmpfs", {"hidden_opts": ["secret"]}) == []


def test_options_with_another_name_in_the_kernel_are_translated():
    active = {"opts": ["proto=tcp"], "superopts": ["username=me"]}

    assert differing(["tcp"], active, "nfs", {}) == []
    assert differing(["user=me"], active, "cifs", {}) == []
