"""Names given up for the words of docs/glossary.md: none returns to the code or to a page.

A stem or class name is listed only when no core room has a good use for it. Names that are wrong in one room
and right in another (`memory`, `names`, `running`, `Request`) are not listed.
"""

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
CORE = sorted((ROOT / "salt_g").rglob("*.py"))
#: Without the reference, which is generated when the pages are built.
DOCS = sorted(path for path in (ROOT / "docs").rglob("*.md") if "reference" not in path.parts)
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]

OLD_STEMS = frozenset(
    """
    acting advice answering attached batch_course booting bus_places by_the_clock call_resource_pillars
    calling child choice chunk circles claims clear clockwork collect configuring cut_off declare
    delivery dialing difftext doing drafts duty elsewhere ending entrance executing execution exits
    expected expected_returns explaining facts failing figures from_minion gates holding housekeeping
    hub_delay inner_link intake interfaces job_fields job_mirror job_tracker job_words keeping key_ways
    keyed known leases leaving linked local_facts local_keys local_server log_floods long_texts loopback
    managing members mending metering mirror mistyped of_resource offered open_files opening outbox
    outcomes outgoing own_addresses own_files own_returns own_user parts patching permits picture pieces
    pillars places placing plugged plugin_copies problems process_figures quoting reactions reconnecting
    refreshing regex_effort registrations remembering renewal resource_host resource_pillar
    resource_rooms resumption returning rows run_following run_here run_shown scheduling seats serving
    side_by_side sign_in signing_in silence stalls startup state_blocks stock_names streams succession
    switching target_words telling trimming turns unfolding unsolicited upload_budget waiting wanted
    weight wish without_effect work working wrong_types _foretold _handed_over _holding _keeping _kept
    _kept_file _look _named _places _rewrite _takes _truth _wish _worker
    """.split()  # noqa: SIM905 - as a list literal it would fill a page
)

OLD_CLASSES = frozenset(
    """
    Advice Attached BusPlaces Chosen Clear Clockwork CutJob CutOff Dialer Draft Duty Entrance
    ExpectedReturns Explaining Facts FloodFilter Heard HubDelay InnerLink Intake JobMirror JobPool
    JobTracker Judged Keeping Leases LinkedClient LocalFacts LocalKeys LongTexts Look Managed Managing
    Meant Members Metering Offer Offered OnFiles Outbox Outgoing OwnAddresses OwnReturns Owners Parts
    Permits Pieces Places Plugged PluggedSettings Quoting Reconnecting Refreshing Registrations Renewal
    ResourcePillars Rules Scheduling Seats SelinuxWish SigningIn StallWatch StockNames Succession
    ThroughMaster Told Turns Unfolding Unsolicited UploadBudget Way Wish Wishes WordsMissing Work
    WorkerLost
    """.split()  # noqa: SIM905 - as a list literal it would fill a page
)

#: Functions, attributes, arguments and constants.
OLD_NAMES = frozenset(
    """
    CUT_OFF INVITATIONS LACKING NEEDLESS _entrance _explaining _hand_over _intake _is_housekeeping
    _local_keys _managing _permits _refreshing _signing_in _succession _take_up _unsolicited _wishes
    breathe cut_off deliver_draft entrance explaining fire_draft give_back job_mirror judge managing
    metering outgoing own_addresses own_files permits plugged quicken read_entrance signing_in
    succession tame unsolicited went_well wishes
    """.split()  # noqa: SIM905 - as a list literal it would fill a page
)

#: {room: names given up in it that are the right words elsewhere, in the room's unit tests as well}
OLD_NAMES_OF_ROOMS = {
    "event": frozenset(["figures"]),
    "master": frozenset(["_holding", "_keeping", "holding", "keeping", "local_keys", "members", "quoting"]),
}

#: Names that say nothing of the thing: a reply, a message, an order, a subscription.
RIDDLES = re.compile(
    r"\bdef _?(?:tells?|told|hears?|heard)(?:_\w+)?\(|\b(?:told|wish|wishes)\b(?=(?:: [^=\n]+)? = )"
)
#: The beginning of a module whose headline is a clause in place of a noun phrase.
CLAUSE = re.compile(
    r'\A(?:#[^\n]*\n|\s)*[rR]?"""\s*(?:What|Which|How|Who|Whom|Whose|Where|When|Why|Whether|Whatever|Whoever)\b'
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
ROOMS = [path for room in ("modules", "states", "grains") for path in (ROOT / room).rglob("*.py")]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def classes(path):
    text = path.read_text()
    # Parsing takes milliseconds, and most files have none of the names.
    if not OLD_CLASSES.intersection(re.findall(r"\bclass (\w+)", text)):
        return set()
    return {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)}


def old_names(path, names=OLD_NAMES):
    """Return the names of a source that were given up, with their lines; words in texts do not count."""
    text = path.read_text()
    if not names.intersection(re.findall(r"\w+", text)):
        return []
    found = []
    for node in ast.walk(ast.parse(text)):
        for field in ("id", "attr", "arg", "name"):
            if getattr(node, field, None) in names:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {getattr(node, field)}")
    return found


def test_no_core_file_has_a_name_that_was_given_up():
    assert [str(path.relative_to(ROOT)) for path in CORE if path.stem in OLD_STEMS] == []


def test_no_function_attribute_or_constant_has_a_name_that_was_given_up():
    # Tests judge the runs of two Salts, and give back turns.
    names = OLD_NAMES - {"give_back", "judge"}

    assert [found for path in (*CORE, *ROOMS) for found in old_names(path)] == []
    assert [found for path in TESTS for found in old_names(path, names)] == []


@pytest.mark.parametrize("room", OLD_NAMES_OF_ROOMS)
def test_no_room_has_a_name_that_it_gave_up(room):
    folders = (ROOT / "salt_g" / room, ROOT / "tests" / "unit" / room)
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))]

    assert [found for path in paths for found in old_names(path, OLD_NAMES_OF_ROOMS[room])] == []
    assert paths


def test_no_core_class_has_a_name_that_was_given_up():
    found = [
        f"{path.relative_to(ROOT)}: {name}" for path in CORE for name in sorted(classes(path) & OLD_CLASSES)
    ]

    assert found == []


def test_no_value_or_function_has_a_name_that_is_a_riddle():
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in (*CORE, *ROOMS)
        for match in RIDDLES.finditer(path.read_text())
    ]

    assert found == []


def test_the_headline_of_a_test_module_is_a_noun_phrase():
    found = [str(path.relative_to(ROOT)) for path in TESTS if CLAUSE.match(path.read_text())]

    assert found == []


def test_a_clause_is_found_behind_comments_too():
    assert CLAUSE.match('#!/usr/bin/env python3\n\n"""Which files are requested together."""')
    assert not CLAUSE.match('"""Grouping of file requests: which ones go together."""')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_mentions_a_file_that_was_renamed(page):
    # Files of the tests have names of their own.
    mentioned = re.findall(r"(?<!tests/support/)\b(\w+)\.py\b", page.read_text())

    assert sorted(OLD_STEMS.intersection(mentioned)) == []


def test_the_terms_of_the_glossary_are_in_alphabetical_order():
    parts = (ROOT / "docs" / "glossary.md").read_text().split("\n## ")[1:]

    lists = [re.findall(r"(?m)^([^\n:#]+)\n: ", part) for part in parts]

    assert lists == [sorted(terms, key=str.casefold) for terms in lists]
    assert all(lists)
