"""The OpenAPI document."""

from salt_g.http_api.v1.openapi import document
from salt_g.http_api.v1.route import V1Route, limit


def test_a_route_is_described_with_its_parameters_right_and_refusals():
    routes = [
        V1Route(
            "GET", "/x/{id}", None, "an x", answer={}, right="to x", takes=(limit(5, 10),), refuses=(404,)
        ),
        V1Route("POST", "/x/{id}", None, "make", answer={}, right="", body={"type": "object"}, status=202),
        V1Route("GET", "/open", None, "open", answer={}, right="none", is_open=True),
    ]
    paths = document(routes)["paths"]

    get, post = paths["/v1/x/{id}"]["get"], paths["/v1/x/{id}"]["post"]
    assert [one["name"] for one in get["parameters"]] == ["id", "limit"]
    assert get["description"] == "Right: to x."
    assert {"200", "401", "403", "404"} <= get["responses"].keys()
    assert "202" in post["responses"]
    assert post["requestBody"]["required"]
    assert paths["/v1/open"]["get"]["security"] == []
    assert "401" not in paths["/v1/open"]["get"]["responses"]
