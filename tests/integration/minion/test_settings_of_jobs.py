"""Settings that change how a running minion executes jobs."""


def test_grains_can_be_found_anew_before_each_job(start_master, start_minion, salt, tmp_path):
    master = start_master()
    fact = tmp_path / "fact"
    fact.write_text("old")
    grains = master.root / "grains"
    grains.mkdir()
    (grains / "told.py").write_text(f"def told():\n    return {{'told': open({str(fact)!r}).read()}}\n")
    start_minion(master, grains_dirs=[str(grains)], grains_refresh_pre_exec=True)
    assert salt(master, "m1", "grains.get", "told").minions == {"m1": "old"}

    fact.write_text("new")

    assert salt(master, "m1", "grains.get", "told").minions == {"m1": "new"}
