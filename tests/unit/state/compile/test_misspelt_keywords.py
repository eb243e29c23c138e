"""Keywords that are accepted silently and look misspelt."""

from salt_g.state.compile.misspelt_keywords import misspelt_keywords
from salt_g.states._extra_keywords import takes, takes_any
from salt_g.states.ssh_pki.certificate import certificate_managed


def written(name, makedirs=False, **kwargs):
    """Write something.

    `keep_source` keeps it.

    seconds, minutes
        How long.

    Example::

        salt-g state.single x.written /x retries=3
    """


def vgcreate(vgname, wipesignatures=None, **kwargs):
    """Do something with `physicalextentsize`."""


def found(name):
    return {"lvm.vgcreate": vgcreate}.get(name)


def misspelt(function, *given):
    return misspelt_keywords(function, ("name", *given), found)


def test_a_word_like_a_parameter_or_a_documented_one_is_misspelt():
    wrong = ("makedir", "keep_sources", "secnds", "minute", "retires")

    assert [key for key, _ in misspelt(written, *wrong)] == list(wrong)
    assert dict(misspelt(written, *wrong))["secnds"] == "seconds"


def test_known_words_and_those_like_none_are_left_alone():
    assert misspelt(written, "makedirs", "keep_source", "minutes", "retries", "colour", "__id__") == []


def test_the_word_of_other_states_for_the_same_thing_is_meant():
    def ran(name, runas=None, **kwargs):
        """Run something."""

    def owned(name, user=None, runas=None, **kwargs):
        """Run something as a user, for another."""

    assert misspelt(ran, "user") == [("user", "runas")]
    assert misspelt(owned, "user") == []


def test_words_of_the_engine_are_known_and_misspellings_reported():
    assert misspelt(written, "require", "onchanges", "retry", "unless", "saltenv") == []
    assert misspelt(written, "onchange") == [("onchange", "onchanges")]


def test_a_function_without_keywords_refuses_by_itself():
    assert misspelt(found, "nam") == []


def test_words_of_the_function_that_keywords_go_to_are_known():
    state = takes("lvm.vgcreate", "extra_word", "no.such")(lambda name, **kwargs: None)

    assert misspelt(state, "wipesignatures", "physicalextentsize", "extra_word") == []
    assert misspelt(state, "wipesignature") == [("wipesignature", "wipesignatures")]
    assert misspelt(state, "extra_words") == [("extra_words", "extra_word")]


def test_a_state_whose_users_choose_the_words_has_no_misspelt_ones():
    assert misspelt(takes_any(lambda name, makedirs=0, **kwargs: None), "makedir") == []


def test_arguments_of_ssh_certificates_are_known():
    given = ("all_principals", "valid_principals", "cert_type", "signing_private_key")

    assert misspelt_keywords(certificate_managed, given, found) == []
