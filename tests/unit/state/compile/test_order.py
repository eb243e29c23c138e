"""The graph and the order that it gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.state.compile.cycles import cycle_text, find_cycle
from salt_g.state.compile.order import Graph
from salt_g.state.dot_graph import to_dot


def chunk(state_id, **arguments):
    return {
        "state": "test",
        "name": state_id,
        "__sls__": "web",
        "__id__": state_id,
        "fun": "nop",
        **arguments,
    }


def linked(*chunks, watch=True, **options):
    graph = Graph(**options)
    for low in chunks:
        graph.add(low)
    return graph, graph.link(has_watch=lambda module: watch)


def order_of(*chunks, **options):
    graph, problems = linked(*chunks, **options)
    assert problems == []
    return [node.low["__id__"] for node in graph.ordered()]


def test_numbers_words_and_negative_numbers_have_their_places():
    chunks = [
        chunk("last", order="last"),
        chunk("neg", order=-1),
        chunk("five", order=5),
        chunk("first", order="first"),
    ]

    assert order_of(*chunks, chunk("plain", order=10000)) == ["first", "five", "plain", "neg", "last"]


def test_names_follow_each_other():
    low = [chunk("a", order=10000), chunk("b", order=10000, name="q", name_order=2)]
    graph, _ = linked(*low)

    graph.ordered()

    assert low[1]["order"] == 10000.0002
    assert "name_order" not in low[1]


def test_a_requirement_runs_before_its_earliest_dependant():
    chunks = [
        chunk("s1", order=10000, require=[{"test": "s4"}]),
        chunk("s2", order=10001),
        chunk("s3", order=10002, require=[{"test": "s5"}]),
        chunk("s4", order=10003),
        chunk("s5", order=10004),
    ]

    assert order_of(*chunks) == ["s4", "s1", "s2", "s5", "s3"]


def test_without_numbers_names_decide():
    assert order_of(chunk("z"), chunk("a"), chunk("m")) == ["a", "m", "z"]


def test_a_prereq_runs_between_preview_and_state():
    graph, _ = linked(chunk("c", order=10001), chunk("p", order=10000, prereq=[{"test": "c"}]))

    assert [(node.low["__id__"], node.is_preview) for node in graph.ordered()] == [
        ("c", True),
        ("p", False),
        ("c", False),
    ]


@pytest.mark.parametrize("turn", [list, reversed])
def test_in_a_chain_of_prereqs_the_far_end_is_previewed_first(turn):
    chunks = [
        chunk("p1", order=10000, prereq=[{"test": "p2"}]),
        chunk("p2", order=10001, prereq=[{"test": "p3"}]),
        chunk("p3", order=10002),
    ]
    graph, _ = linked(*turn(chunks))

    nodes = [(node.low["__id__"], node.is_preview) for node in graph.ordered()]

    assert nodes == [("p3", True), ("p2", True), ("p1", False), ("p2", False), ("p3", False)]


def test_a_reference_may_be_a_name_a_bare_id_a_pattern_or_an_sls():
    chunks = [
        chunk("a", order=5, name="called"),
        chunk("b", order=4, require=[{"test": "called"}]),
        chunk("c", order=3, require=["b"]),
        chunk("d", order=2, require=[{"test": "[bc]"}]),
        {**chunk("e", order=1, require=[{"sls": "web"}]), "__sls__": "other"},
    ]

    assert order_of(*chunks) == ["a", "b", "c", "d", "e"]


def test_an_sls_means_what_it_includes_too():
    low = chunk("c", __sls__="deep", __sls_included_from__=["web"], order=9)
    graph, _ = linked(low, {**chunk("e", order=1, require=[{"sls": "web"}]), "__sls__": "other"})

    assert [node.low["__id__"] for node in graph.ordered()] == ["c", "e"]


def test_dangling_references_are_all_named_with_the_nearest():
    _, problems = linked(
        chunk("nginx"), chunk("a", require=[{"test": "ngnix"}]), chunk("b", watch=[{"file": "/x"}])
    )

    assert [problem.message for problem in problems] == [
        "Referenced state does not exist for requisite [require: (test: ngnix)] in state [a] in SLS [web]",
        "Referenced state does not exist for requisite [watch: (file: /x)] in state [b] in SLS [web]",
    ]
    assert problems[0].nearest == ["nginx"]


def test_each_dangling_requisite_of_a_state_is_named():
    _, problems = linked(
        chunk("nginx"),
        chunk("a", require=[{"test": "x"}, {"test": "nginx"}, {"test": "y"}], onchanges=[{"test": 5}]),
    )

    assert [problem.message.partition(" in state")[0] for problem in problems] == [
        "Referenced state does not exist for requisite [require: (test: x)]",
        "Referenced state does not exist for requisite [require: (test: y)]",
        "Requisite [onchanges: test]",
    ]


def test_a_pattern_of_files_may_match_nothing_a_pattern_of_states_may_not():
    _, problems = linked(chunk("a", require=[{"sls": "none*"}]), chunk("b", require=[{"test": "none*"}]))

    assert len(problems) == 1


def test_a_value_that_is_not_a_text_is_refused_and_null_is_ignored():
    _, problems = linked(chunk("a", require=[{"test": 5}]), chunk("b", require=[{"test": None}]))

    assert [problem.message for problem in problems] == [
        "Requisite [require: test] in state [a] in SLS [web] must have a string as the value"
    ]


def test_disabled_kinds_are_ignored():
    assert order_of(chunk("a", require=[{"test": "b"}]), chunk("b"), disabled=["require"]) == ["a", "b"]


def test_a_watch_without_mod_watch_is_a_require():
    low = chunk("a", watch=[{"test": "b"}])

    linked(low, chunk("b"), watch=False)

    assert low["require"] == [{"test": "b"}]
    assert "watch" not in low


def test_a_circle_is_named_member_by_member():
    graph, _ = linked(
        chunk("a", name="na", require=[{"test": "b"}]),
        chunk("b", watch=[{"test": "c"}]),
        chunk("c", onchanges=[{"test": "a"}]),
    )

    assert len(graph.ordered()) < 3
    assert cycle_text(find_cycle(graph.nodes)) == (
        "Recursive requisites were found: "
        "({'SLS': 'web', 'ID': 'c'}, 'onchanges', {'SLS': 'web', 'ID': 'a', 'NAME': 'na'}), "
        "({'SLS': 'web', 'ID': 'b'}, 'watch', {'SLS': 'web', 'ID': 'c'}), "
        "({'SLS': 'web', 'ID': 'a', 'NAME': 'na'}, 'require', {'SLS': 'web', 'ID': 'b'})"
    )


def test_a_circle_of_ten_thousand_is_found():
    size = 10000
    graph, _ = linked(*(chunk(f"s{n}", require=[{"test": f"s{(n + 1) % size}"}]) for n in range(size)))

    assert len(find_cycle(graph.nodes)) == size


def test_a_file_may_be_required_by_a_state_that_it_includes():
    graph, problems = linked(
        chunk("config", __sls__="config", require=[{"sls": "package"}]),
        chunk("package", __sls__="package", __sls_included_from__=["config"]),
        chunk("service", __sls__="service", __sls_included_from__=["config"], watch=[{"sls": "config"}]),
    )

    assert problems == []
    assert [node.low["__id__"] for node in graph.ordered()] == ["package", "config", "service"]


def test_states_that_a_required_file_includes_come_first_where_no_circle_forbids():
    chunks = [
        chunk("late", require=[{"sls": "outer"}], order=1),
        chunk("outer", __sls__="outer", order=3),
        chunk("inner", __sls__="inner", __sls_included_from__=["outer"], order=2),
    ]

    assert order_of(*chunks) == ["inner", "outer", "late"]


def test_a_circle_of_files_own_states_is_refused_all_the_same():
    graph, _ = linked(
        chunk("a", __sls__="a", require=[{"sls": "b"}]),
        chunk("b", __sls__="b", require=[{"sls": "a"}]),
        chunk("c", __sls__="c", __sls_included_from__=["b"]),
    )

    assert {node.low["__id__"] for _, _, node in find_cycle(graph.nodes)} == {"a", "b"}


def test_an_edge_that_is_also_written_out_is_kept_in_a_circle():
    graph, _ = linked(
        chunk("a", require=[{"sls": "outer"}, {"test": "b"}]),
        chunk("b", __sls__="b", __sls_included_from__=["outer"], require=[{"test": "a"}]),
    )

    assert len(find_cycle(graph.nodes)) == 2


def test_a_chunk_with_a_preview_may_require_the_file_that_includes_it():
    graph, _ = linked(
        chunk("outer", __sls__="outer"),
        chunk("p", prereq=[{"test": "t"}]),
        chunk("t", __sls__="in", __sls_included_from__=["outer"], require=[{"sls": "outer"}]),
    )

    ordered = graph.ordered()

    assert [(node.low["__id__"], node.is_preview) for node in ordered] == [
        ("outer", False),
        ("t", True),
        ("p", False),
        ("t", False),
    ]


def test_the_picture_has_a_line_for_each_node_and_edge():
    graph, _ = linked(chunk("a", require=[{"test": "b"}]), chunk("b"))

    dot = to_dot(graph.nodes)

    assert dot.splitlines()[0] == "digraph G {"
    assert '  "test_|-b_|-b_|-nop" -> "test_|-a_|-a_|-nop" [label="require"];' in dot


@st.composite
def trees(draw):
    """Draw chunks that depend only on earlier ones, in any order of declaration."""
    count = draw(st.integers(1, 12))
    kinds = st.sampled_from(["require", "watch", "onchanges", "onfail", "require_any", "prereq"])
    chunks = []
    for number in range(count):
        low = chunk(f"s{number}", order=draw(st.integers(-5, 20000)))
        if number:
            targets = draw(st.lists(st.integers(0, number - 1), max_size=3, unique=True))
            if targets:
                low[draw(kinds)] = [{"test": f"s{target}"} for target in targets]
        chunks.append(low)
    return draw(st.permutations(chunks))


def copies(chunks):
    return [dict(low) for low in chunks]


@given(trees())
def test_everything_needed_comes_before_what_needs_it(chunks):
    graph, problems = linked(*copies(chunks))
    if problems or find_cycle(graph.nodes):
        return

    place = {node: number for number, node in enumerate(graph.ordered())}

    assert len(place) == len(graph.nodes)
    assert all(place[needed] < place[node] for node in graph.nodes for needed in node.needs)


@given(trees())
def test_the_order_is_always_the_same(chunks):
    first, _ = linked(*copies(chunks))
    second, _ = linked(*copies(chunks))

    assert list(map(repr, first.ordered())) == list(map(repr, second.ordered()))


@given(trees())
def test_a_circle_is_found_exactly_where_the_order_misses_nodes(chunks):
    graph, _problems = linked(*copies(chunks))

    assert bool(find_cycle(graph.nodes)) == (len(graph.ordered()) < len(graph.nodes))
