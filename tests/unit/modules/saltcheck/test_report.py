"""Counted results of saltcheck, and their XML."""

from salt_g.modules.saltcheck.report import junit, listed

RESULTS = {
    "apache": {
        "one": {"status": "Pass", "duration": 2.5907},
        "two": {"status": "Fail: fail expected is not equal to hello", "duration": 0.4503},
        "three": {"status": "Skip", "duration": 0.0},
    },
    "empty": {},
}


def test_results_end_with_the_numbers():
    assert listed(RESULTS) == [
        {"apache": RESULTS["apache"]},
        {"empty": {}},
        {
            "TEST RESULTS": {
                "Execution Time": 3.041,
                "Passed": 1,
                "Failed": 1,
                "Skipped": 1,
                "Missing Tests": 1,
            }
        },
    ]


def test_failures_alone_leave_the_numbers_whole():
    first, second, numbers = listed(RESULTS, only_fails=True)

    assert list(first["apache"]) == ["two"]
    assert second == {}
    assert numbers["TEST RESULTS"]["Passed"] == 1


def test_xml_has_a_case_for_each_test():
    assert junit(RESULTS).splitlines() == [
        '<?xml version="1.0" ?>',
        '<testsuites disabled="0" errors="0" failures="1" tests="3" time="3.041">',
        '\t<testsuite disabled="0" errors="0" failures="1" name="test_results" skipped="1" tests="3" '
        'time="3.041">',
        '\t\t<testcase name="one" time="2.590700"/>',
        '\t\t<testcase name="two" time="0.450300">',
        '\t\t\t<failure type="failure" message="Fail: fail expected is not equal to hello"/>',
        "\t\t</testcase>",
        '\t\t<testcase name="three">',
        '\t\t\t<skipped type="skipped" message="Skip"/>',
        "\t\t</testcase>",
        "\t</testsuite>",
        "</testsuites>",
    ]
