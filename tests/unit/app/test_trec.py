import pytest

from chartcite.app.trec import Query, UnreadableQueries, UnwritableName, read_queries, run_lines


def test_both_forms_of_queries_may_be_mixed() -> None:
    lines = ["\ufeffq1\twarfarin dose\r\n", "\n", '{"id": 7, "text": " INR "}\n', "q3\ta\tb\n"]
    assert read_queries(lines) == [Query("q1", "warfarin dose"), Query("7", "INR"), Query("q3", "a\tb")]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["q1 no tab"], "Line 1"),
        (["q1\ta", "\ttext"], "Line 2"),
        (["q1\t  "], "Line 1"),
        (['{"id": "q1"}'], "Line 1"),
        (['{"id": true, "text": "x"}'], "Line 1"),
        (['{"id": "q1", "text": "x"'], "Line 1"),
        (["q1\ta", "q1\tb"], "Line 2"),
        ([], "no query"),
        (["\n"], "no query"),
    ],
)
def test_bad_queries_are_named_by_line(lines: list[str], said: str) -> None:
    with pytest.raises(UnreadableQueries, match=said) as caught:
        read_queries(lines)
    assert caught.value.exit_code == 2


def test_run_lines_are_six_columns_ranked_from_one() -> None:
    lines = run_lines("q1", [("d2", 0.123456789123), ("d/1", 1e-7)], "chartcite")
    assert lines == ["q1 Q0 d2 1 0.123456789 chartcite", "q1 Q0 d/1 2 1e-07 chartcite"]
    assert all(len(line.split(" ")) == 6 for line in lines)
    assert run_lines("q1", [], "chartcite") == []


@pytest.mark.parametrize(("qid", "doc_id"), [("q 1", "d"), ("q1", "d 1"), ("q1", ""), ("q1", " d")])
def test_ids_that_would_break_the_columns_are_refused(qid: str, doc_id: str) -> None:
    with pytest.raises(UnwritableName):
        run_lines(qid, [(doc_id, 1.0)], "chartcite")
