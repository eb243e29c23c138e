"""Signatures of requests: the examples of AWS's own documentation for S3."""

import datetime

import pytest

from salt_g.net.aws_signature import AwsCredentials, AwsRequest, query_string, signed_headers

EXAMPLE = AwsCredentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
HOST = "examplebucket.s3.amazonaws.com"
NOW = datetime.datetime(2013, 5, 24, tzinfo=datetime.timezone.utc)


@pytest.mark.parametrize(
    ("request_", "signature"),
    [
        (
            AwsRequest("GET", HOST, "/test.txt", headers={"Range": "bytes=0-9"}),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        ),
        (
            AwsRequest(
                "PUT",
                HOST,
                "/test%24file.text",
                headers={
                    "Date": "Fri, 24 May 2013 00:00:00 GMT",
                    "x-amz-storage-class": "REDUCED_REDUNDANCY",
                },
                body_hash="44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            ),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        ),
        (
            AwsRequest("GET", HOST, "/", {"lifecycle": ""}),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        ),
        (
            AwsRequest("GET", HOST, "/", {"prefix": "J", "max-keys": "2"}),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
    ],
)
def test_the_examples_have_their_signatures(request_, signature):
    headers = signed_headers(request_, EXAMPLE, region="us-east-1", service="s3", now=NOW)

    assert headers["Authorization"].endswith(f",Signature={signature}")
    assert headers["x-amz-date"] == "20130524T000000Z"


def test_parameters_are_sorted_and_quoted():
    assert query_string({"marker": "a b/c", "a": "~"}) == "a=~&marker=a%20b%2Fc"
