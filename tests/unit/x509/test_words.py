"""Words of certificates in arguments: old spellings, unknown ones."""

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.x509.words import (
    CERTIFICATE_EXTENSIONS,
    REQUEST_EXTENSIONS,
    check_choice,
    check_known,
    current_keywords,
    with_current_words,
)


def test_old_spellings_have_current_words():
    assert with_current_words({"X509v3 Key Usage": "a", "emailAddress": "b", "CN": "c"}) == {
        "keyUsage": "a",
        "MAIL": "b",
        "CN": "c",
    }


@pytest.mark.parametrize("version", [3, "3"])
def test_keywords_without_a_meaning_are_dropped(version):
    given = {"algorithm": "sha256", "bits": 2048, "text": True, "version": version, "__pub_jid": "1"}

    assert current_keywords(given) == {"digest": "sha256", "keysize": 2048}


def test_another_version_is_kept_so_that_it_is_refused():
    assert current_keywords({"version": 1}) == {"version": 1}


def test_a_wrong_choice_is_refused_with_the_nearest_one():
    check_choice("digest", "SHA256", ("sha256", "sha512"))
    with pytest.raises(CommandExecutionError) as caught:
        check_choice("digest", "sha265", ("sha256", "sha512"))

    assert str(caught.value) == ("Invalid value 'sha265' for digest. Valid: sha256, sha512; nearest: sha256")


def test_an_unknown_keyword_is_refused_unless_the_job_added_it():
    check_known(["CN", "__pub_jid"], ["CN"])
    with pytest.raises(
        InvocationError, match=r"Unrecognized keyword arguments: \['keyusage'\]; nearest: keyUsage"
    ):
        check_known(["keyusage"], CERTIFICATE_EXTENSIONS)


def test_a_request_has_no_extension_that_only_an_issuer_sets():
    assert set(CERTIFICATE_EXTENSIONS) - set(REQUEST_EXTENSIONS) == {
        "authorityInfoAccess",
        "authorityKeyIdentifier",
        "issuerAltName",
        "crlDistributionPoints",
    }


def test_keywords_that_ask_for_what_happens_anyway_are_left_out():
    keywords = {"version": 3, "pkcs12_embed_private_key": True, "text": True, "bits": 4096, "CRLNumber": 7}

    assert current_keywords(keywords) == {"keysize": 4096, "cRLNumber": 7}


@pytest.mark.parametrize("keywords", [{"version": 1}, {"pkcs12_embed_private_key": False}])
def test_keywords_that_ask_for_something_else_stay_and_are_refused(keywords):
    with pytest.raises(InvocationError, match="Unrecognized keyword arguments"):
        check_known(current_keywords(keywords), ("private_key",))
