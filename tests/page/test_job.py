"""Run and Job: a function started from its form; cells that fill while states run; Stop."""


def fill_function(page, name):
    page.fill("#fun", name)
    page.wait_for_selector(f"#names [role=option]:has-text('{name}')", state="attached")


def test_a_function_is_completed_described_and_run(log_in):
    page = log_in(place="run")
    page.wait_for_selector(".meant :text('3 minions')")
    page.fill("#fun", "test.pi")
    page.wait_for_selector("#names [role=option]:has-text('test.ping')")
    page.press("#fun", "ArrowDown")
    page.press("#fun", "Enter")
    assert page.input_value("#fun") == "test.ping"
    assert page.text_content("#command") == "salt-g '*' test.ping"

    page.click("button:has-text('Run on 3 minions')")

    page.wait_for_selector("text=3 of 3 minions returned")
    assert page.locator("tr.row").count() == 1
    assert "and 2 others like it" in page.text_content("tr.row")
    assert "true" in page.text_content("tr.row .preview")


def test_arguments_have_fields_and_become_a_command(log_in):
    page = log_in(place="run")
    page.fill("#tgt", "m1")
    page.wait_for_selector(".meant :text('1 minion')")
    fill_function(page, "test.echo")
    page.wait_for_selector("#arg-text")

    page.fill("#arg-text", "it's 5 o'clock")
    assert page.text_content("#command") == r"""salt-g m1 test.echo 'it'\''s 5 o'\''clock'"""
    page.click("button:has-text('Run on 1 minion')")
    page.wait_for_selector(".preview:has-text(\"it's 5 o'clock\")")


def test_a_target_shows_its_minions_and_the_reasons(log_in):
    page = log_in(place="run")
    page.fill("#tgt", "m[12]")
    page.wait_for_selector(".meant :text('2 minions')")
    assert "fits" in page.wait_for_selector(".why").text_content()

    page.fill("#tgt", "nobody")
    page.wait_for_selector(".meant :text('No minion')")
    assert page.is_disabled("form .button.primary")
    page.select_option("[aria-label='Type of the target']", "compound")
    page.fill("#tgt", "m1 and (")
    page.wait_for_selector(".meant .trouble")


def test_cells_fill_while_states_run_and_failures_come_first(log_in, picture):
    page = log_in(place="run")
    fill_function(page, "state.apply")
    page.wait_for_selector("#arg-mods")
    page.fill("#arg-mods", "web")
    page.click("button:has-text('Run on 3 minions')")

    # While the slow state runs its cell breathes, and the line shows its last output.
    page.wait_for_selector(".cells .cell.v-running")
    page.wait_for_selector("q:has-text('unpacking part')")
    assert page.locator(".cells .cell.v-ok").count() >= 8
    assert page.locator(".cells .cell.to-come").count() >= 1
    picture(page, "job-running")

    page.wait_for_selector("text=3 of 3 minions returned")
    assert page.locator("tr.row .pill").all_text_contents()[0] == "failed"
    assert page.text_content("tr.row a.mono") == "m2"
    assert page.locator(".cells .cell.v-running, .cells .cell.to-come").count() == 0
    picture(page, "job")


def test_a_cell_opens_its_state_with_place_duration_and_diff(log_in, site):
    site.finished(site.start("state.apply", "web"))
    jid = site.start("state.apply", "web", tgt="m2")
    site.finished(jid)
    page = log_in(place=f"jobs/{jid}")

    page.click(".cells .cell.v-failed")
    chosen = page.wait_for_selector("[data-chosen][open]")
    assert "test.fail_without_changes" in chosen.text_content()
    page.click(".cells .cell:last-child")
    diff = page.wait_for_selector("[data-chosen] .diff")
    assert "+listen" in diff.query_selector(".add").text_content()
    assert "-listen" in diff.query_selector(".del").text_content()
    assert "salt://web.sls" in page.text_content("[data-chosen] .facts")
    assert " ms" in page.text_content("[data-chosen] summary")


def test_stop_shows_what_was_ended(log_in, site):
    jid = site.start("test.sleep", 600)
    page = log_in(place=f"jobs/{jid}")
    page.click("button:has-text('Stop')")

    page.wait_for_selector(".stopped:has-text('Ended on 3 minions')")
    page.wait_for_selector("text=3 of 3 minions returned")
    assert page.query_selector("button:has-text('Stop')") is None


def test_jobs_are_listed_and_hide_what_the_page_asked(log_in, site, goto):
    lookup = site.start("sys.doc", "test.ping", tgt="m1")
    shown = site.start("test.version", tgt="m1")
    site.finished(lookup)
    site.finished(shown)
    page = log_in(place="jobs")
    page.wait_for_selector(f"a[href='#/jobs/{shown}']")
    assert page.query_selector(f"a[href='#/jobs/{lookup}']") is None

    page.uncheck("text=Hide lookups")
    page.wait_for_selector(f"a[href='#/jobs/{lookup}']")
    page.check("text=Hide lookups")
    later = site.start("test.ping", tgt="m2")
    page.wait_for_selector(f"a[href='#/jobs/{later}']")
    page.fill("[aria-label=Function]", "test.vers")
    page.wait_for_selector(f"a[href='#/jobs/{later}']", state="detached")
    page.select_option("[aria-label=Verdict]", "failed")
    page.wait_for_selector("text=No job fits")


def test_a_job_runs_again_from_its_form(log_in, site, goto):
    jid = site.start("test.echo", "once more", tgt="m1")
    site.finished(jid)
    page = log_in(place=f"jobs/{jid}")
    page.click("button:has-text('Run again')")

    page.wait_for_selector("#fun")
    assert page.text_content("#command") == "salt-g m1 test.echo 'once more'"


def test_a_missing_job_is_reported(log_in):
    page = log_in(place="jobs/20200101000000000000")

    assert "There is no job" in page.wait_for_selector(".trouble").text_content()
