"""States whose execution module cannot be loaded."""

_GATED = 'def __virtual__():\n    return False, "{reason}"\n\n\ndef done(name):\n    """Do it."""\n'


def test_a_state_reports_what_its_execution_module_lacks(salt_g):
    for kind, reason in (("states", "no gate module"), ("modules", "the gate binary is not in the path")):
        directory = salt_g.states / f"_{kind}"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "gate.py").write_text(_GATED.format(reason=reason))
    (salt_g.states / "open.sls").write_text("back:\n  gate.done: []\n")
    salt_g("saltutil.sync_all")

    result = salt_g("state.apply", "open").value

    comment = next(ret["comment"] for low, ret in result.items() if low.startswith("gate_|-"))
    assert "Reason: 'gate' __virtual__ returned False: no gate module\n" in comment
    assert "Reason: 'gate' __virtual__ returned False: the gate binary is not in the path\n" in comment
