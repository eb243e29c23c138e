"""Requests as values."""


def test_headers_and_cookies_are_found_by_name(make_request):
    request = make_request(headers={"cookie": 'a=1; session_id="xyz"; b=2', "accept": "x/y"})

    assert request.header("accept") == "x/y"
    assert request.header("host") == ""
    assert request.cookie("session_id") == "xyz"
    assert request.cookie("c") == ""
