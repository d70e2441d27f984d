from __future__ import annotations

import base64
import copy
import gzip
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chartcite.core.errors import CorruptSource, EmptySource, LimitExceeded, UnsupportedFormat
from chartcite.core.reading import Found, Problem
from chartcite.readers import fhir_resources

Read = Callable[..., tuple[list[Found], list[Problem]]]
CANARY = "Zebulon Canary"


def b64(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def note(identity: str = "n1", text: str = "Sputum grew no organisms.", **change: Any) -> dict[str, Any]:
    return {
        "resourceType": "DocumentReference",
        "id": identity,
        "status": "current",
        "docStatus": "final",
        "type": {"coding": [{"system": "http://loinc.org", "code": "11506-3", "display": "Progress note"}]},
        "subject": {"reference": "Patient/pa", "display": CANARY},
        "date": "2031-03-01T09:00:00Z",
        "author": [{"reference": "Practitioner/1", "display": "Dr. A"}, {"display": "Dr. B"}],
        "language": "en",
        "content": [{"attachment": {"contentType": "text/plain; charset=utf-8", "data": b64(text)}}],
        "context": {
            "encounter": [{"reference": "Encounter/e1"}],
            "period": {"start": "2031-02-28", "end": "2031-03-01"},
        },
        "relatesTo": [{"code": "replaces", "target": {"reference": "DocumentReference/n0"}}],
    } | change


def report(**change: Any) -> dict[str, Any]:
    return {
        "resourceType": "DiagnosticReport", "id": "r1", "status": "final", "code": {"text": "Chest X-ray"},
        "subject": {"reference": "Patient/pa"}, "effectiveDateTime": "2031-03-03",
        "encounter": {"reference": "Encounter/e1"},
        "resultsInterpreter": [{"display": "Dr. R"}], "conclusion": "No pneumothorax.",
        "presentedForm": [{"contentType": "text/plain", "data": b64("IMPRESSION: No pneumothorax.")}],
    } | change  # fmt: skip


def bundle(*resources: Any, urls: bool = False) -> dict[str, Any]:
    entries = [{"fullUrl": f"urn:uuid:{r['id']}", "resource": r} if urls else {"resource": r} for r in resources]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def test_a_document_reference(read: Read) -> None:
    (found,), problems = read("b.json", bundle(note()))
    document = found.document
    assert not problems
    assert (document.doc_id, found.patient_id, document.text) == (
        "DocumentReference/n1",
        "pa",
        "Sputum grew no organisms.",
    )
    assert (document.note_type, document.title, document.author) == ("Progress note", "Progress note", "Dr. A; Dr. B")
    assert (str(document.time), document.encounter_id, document.lang) == ("2031-03-01T09:00:00Z", "e1", "en")
    assert (document.status, document.replaces) == ("current", ("DocumentReference/n0",))
    assert document.source.format == "fhir; text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("change", "time", "precision"),
    [
        ({"date": "2031"}, "2031", "year"),
        ({"date": "2031-03"}, "2031-03", "month"),
        ({"date": "2031-03-02"}, "2031-03-02", "day"),
        ({"date": "2031-03-04T23:30:00-05:00"}, "2031-03-04T23:30:00-05:00", "second"),
        ({"date": None}, "2031-02-28", "day"),
        ({"date": None, "context": {"encounter": [{"reference": "Encounter/e1"}]}}, "2031-01-01", "day"),
    ],
)
def test_dates_keep_their_precision_and_their_order_of_preference(
    read: Read, change: dict[str, Any], time: str, precision: str
) -> None:
    encounter = {"resourceType": "Encounter", "id": "e1", "period": {"start": "2031-01-01"}}
    (found, _), _ = read("b.json", bundle(note(**change), encounter))
    assert found.document.time is not None
    assert (found.document.time.text, found.document.time.precision) == (time, precision)


def test_a_date_that_does_not_exist_is_left_out(read: Read) -> None:
    (found,), (problem,) = read("b.json", bundle(note(date="2031-02-30", context=None)))
    assert found.document.time is None
    assert "date" in str(problem.error)
    assert not problem.skipped


@pytest.mark.parametrize(
    ("status", "doc_status", "expected"),
    [
        ("current", "final", "current"),
        ("current", None, "current"),
        (None, None, "current"),
        ("current", "preliminary", "preliminary"),
        ("current", "amended", "amended"),
        ("superseded", "final", "superseded"),
        ("superseded", "amended", "superseded"),
        ("entered-in-error", "final", "entered-in-error"),
        ("current", "entered-in-error", "entered-in-error"),
    ],
)
def test_statuses(read: Read, status: str | None, doc_status: str | None, expected: str) -> None:
    (found,), _ = read("b.json", bundle(note(status=status, docStatus=doc_status)))
    assert found.document.status == expected


def test_a_status_nobody_knows_is_not_guessed(read: Read) -> None:
    found, (problem,) = read("b.json", bundle(note(status="entered-in-eror")))
    assert not found
    assert "status" in str(problem.error)
    found, (problem,) = read("b.json", bundle(report(status="cancelled")))
    assert not found
    assert problem.skipped


@pytest.mark.parametrize(
    ("reference", "patient"),
    [
        ("Patient/pa", "pa"),
        ("Patient/pa/_history/3", "pa"),
        ("https://fhir.example.org/r4/Patient/pa", "pa"),
        ("urn:uuid:pa", "pa"),
        ("", None),
    ],
)
def test_subjects(read: Read, reference: str, patient: str | None) -> None:
    resources = ({"resourceType": "Patient", "id": "pa"}, note(subject={"reference": reference}))
    (found,), _ = read("b.json", bundle(*resources, urls=True))
    assert found.patient_id == patient


@pytest.mark.parametrize(
    "subject",
    [
        {"reference": "urn:uuid:unknown"}, {"reference": "Patient?identifier=x|7"}, {"reference": "Group/g"},
        {"reference": "#pa"}, {"identifier": {"value": "7"}}, {"reference": "https://other.example.org/r4/Patient/pa"},
    ],
    ids=["unknown", "search", "group", "contained", "identifier", "other-server"],
)  # fmt: skip
def test_a_subject_that_cannot_be_resolved_is_reported_and_nobody_guessed(read: Read, subject: dict[str, Any]) -> None:
    entries = [
        {"fullUrl": "https://fhir.example.org/r4/Patient/pa", "resource": {"resourceType": "Patient", "id": "pa"}},
        {"resource": note("n1", subject=subject)},
        {"resource": note("n2", subject={"reference": "Patient/pa"})},
    ]
    (found,), (problem,) = read("b.json", {"resourceType": "Bundle", "entry": entries})
    assert (found.document.doc_id, found.patient_id) == ("DocumentReference/n2", "pa")
    assert (problem.where, problem.skipped) == ("b.json#DocumentReference/n1", False)
    assert "subject" in str(problem.error)


def test_no_subject(read: Read) -> None:
    (found,), _ = read("b.json", bundle(note(subject=None)))
    assert found.patient_id is None


@pytest.mark.parametrize(
    ("content_type", "raw", "text"),
    [
        ("text/plain; charset=iso-8859-1", "40 µg".encode("latin-1"), "40 µg"),
        ("text/plain;charset=\"UTF-16\"", "40 µg".encode("utf-16"), "40 µg"),
        ("TEXT/PLAIN", "40 µg".encode("cp1252"), "40 µg"),
        ("text/plain; charset=klingon", "40 µg".encode(), "40 µg"),
        ("text/plain; charset=us-ascii", "40 µg".encode(), "40 µg"),
        ("text/plain", "\ufeffa\r\nb\n".encode(), "a\r\nb\n"),
        ("text/markdown", b"# A", "# A"),
        (None, b"plain", "plain"),
        ("text/html", b"<p>CRP &lt;5</p><ul><li>Walks<li>Eats</ul>", "CRP <5\n\n- Walks\n- Eats"),
        ("text/html", '<meta charset="windows-1252"><p>40 µg'.encode("cp1252"), "40 µg"),
        ("application/xhtml+xml; charset=utf-8", "<p>40&#160;µg</p>".encode(), "40 µg"),
    ],
)  # fmt: skip
def test_attachments(read: Read, content_type: str | None, raw: bytes, text: str) -> None:
    (found,), _ = read(
        "b.json", bundle(note(content=[{"attachment": {"contentType": content_type, "data": b64(raw)}}]))
    )
    assert found.document.text == text


def test_one_document_in_several_formats_is_read_once_from_the_plainest(read: Read) -> None:
    forms = [
        {"attachment": {"contentType": "application/pdf", "data": b64("%PDF")}},
        {"attachment": {"contentType": "text/html", "data": b64("<p>html")}},
        {"attachment": {"contentType": "text/plain", "data": b64("plain")}},
    ]
    (found,), problems = read("b.json", bundle(note(content=forms)))
    assert (found.document.text, problems) == ("plain", [])
    forms[2]["attachment"]["data"] = "!!!"
    (found,), problems = read("b.json", bundle(note(content=forms)))
    assert found.document.text == "html"


def test_binaries_inside_the_source(read: Read) -> None:
    binary = {"resourceType": "Binary", "id": "b4", "contentType": "text/plain", "data": b64("Ferritin 11.")}
    for url in ("Binary/b4", "urn:uuid:b4"):
        (found,), problems = read("b.json", bundle(note(content=[{"attachment": {"url": url}}]), binary, urls=True))
        assert (found.document.text, problems) == ("Ferritin 11.", [])
    contained = note(content=[{"attachment": {"url": "#b4"}}], contained=[binary])
    (found,), _ = read("b.json", contained)
    assert found.document.text == "Ferritin 11."


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/", "https://example.org/Binary/b4", "file:///etc/hostname",
        "Binary/none", "#none", "/etc/hostname", "..//x", "data:text/plain,hello", "\\\\server\\share", "urn:uuid:none",
    ],
)  # fmt: skip
def test_nothing_outside_the_source_is_opened(read: Read, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    binary = {"resourceType": "Binary", "id": "b4", "contentType": "text/plain", "data": b64("no")}
    found, problems = read("b.json", bundle(note(content=[{"attachment": {"url": url}}]), binary))
    assert not found
    assert problems[0].skipped
    assert isinstance(problems[0].error, UnsupportedFormat)
    assert url not in str(problems[0].error)


def test_an_attached_page_is_read_in_the_child(read: Read) -> None:
    rtf = {"contentType": "application/rtf", "data": b64(b"{\\rtf1 No caf\\'e9{\\v gone}.}")}
    page = {"contentType": "text/html; charset=utf-8", "data": b64("<table><tr><td>K<td>5<td>µg</table>".encode())}
    found, problems = read(
        "b.json", bundle(*(note(f"n{n}", content=[{"attachment": a}]) for n, a in enumerate([rtf, page])))
    )
    texts = {f.document.text.strip(): f.document for f in found}
    assert set(texts) == {"No café.", "K | 5 | µg"}
    assert len(texts["K | 5 | µg"].units) == 1
    assert [str(p.error) for p in problems] == ["characters that a reader of the page cannot see, left out: 4"]


@pytest.mark.parametrize(
    ("attachment", "kind", "skipped"),
    [
        ({"contentType": "text/plain", "data": "!!!not base64!!!"}, CorruptSource, False),
        ({"contentType": "image/png", "data": "iVBORw0KGgo="}, UnsupportedFormat, True),
        ({"contentType": "application/pdf", "data": "JVBERi0="}, CorruptSource, False),
        ({"contentType": "text/rtf", "data": "e1xydGYx"}, CorruptSource, False),
        ({"contentType": "application/msword", "data": "e1xy"}, UnsupportedFormat, True),
        ({"contentType": "text/plain", "data": b64(" \n")}, EmptySource, True),
        ({"contentType": "text/plain", "data": b64(b"\0\1\2\3")}, UnsupportedFormat, True),
        ({"contentType": "text/plain"}, EmptySource, True),
        ({}, EmptySource, True),
    ],
)
def test_attachments_that_give_no_text(read: Read, attachment: dict[str, str], kind: type, skipped: bool) -> None:
    found, problems = read("b.json", bundle(note("n0"), note(content=[{"attachment": attachment}])))
    assert len(found) == 1
    assert [(p.where, p.skipped) for p in problems] == [("b.json#DocumentReference/n1", skipped)]
    assert isinstance(problems[0].error, kind)


def test_reports(read: Read) -> None:
    (found,), _ = read("b.json", bundle(report()))
    document = found.document
    assert (document.doc_id, document.text, document.note_type) == (
        "DiagnosticReport/r1",
        "IMPRESSION: No pneumothorax.",
        "Chest X-ray",
    )
    assert (str(document.time), document.author, document.encounter_id) == ("2031-03-03", "Dr. R", "e1")
    (found,), problems = read("b.json", bundle(report(presentedForm=None)))
    assert (found.document.text, problems) == ("No pneumothorax.", [])
    (found,), (problem,) = read(
        "b.json", bundle(report(presentedForm=[{"contentType": "application/pdf", "data": "JVBERi0="}]))
    )
    assert (found.document.text, problem.skipped) == ("No pneumothorax.", False)
    found_none, (problem,) = read("b.json", bundle(*[report(presentedForm=None, conclusion=None)] * 3))
    assert not found_none
    assert str(problem.error) == "3 DiagnosticReport resources without text"


def test_ndjson_streams_counts_and_survives_broken_lines(read: Read) -> None:
    rows = [
        json.dumps(note("n1")),
        '{"resourceType": "Cond',
        *[json.dumps({"resourceType": "Goal", "id": str(n)}) for n in range(1234)],
    ]
    rows += [
        json.dumps({"resourceType": "RelatedPerson"}),
        "",
        json.dumps(note("n2")),
        json.dumps({"resourceType": "Patient"}),
    ]
    found, problems = read("x.ndjson.gz", gzip.compress("\n".join(rows).encode()))
    assert [f.document.doc_id for f in found] == ["DocumentReference/n1", "DocumentReference/n2"]
    assert [(p.where, str(p.error), p.skipped) for p in problems] == [
        ("x.ndjson.gz#2", "the line is not valid JSON (column 18)", False),
        ("x.ndjson.gz", "1,234 Goal resources: resources of this type are not read", True),
        ("x.ndjson.gz", "1 RelatedPerson resource: resources of this type are not read", True),
    ]


def test_a_file_without_notes_says_so(read: Read) -> None:
    found, (problem,) = read("Patient.ndjson", json.dumps({"resourceType": "Patient", "id": "p"}))
    assert not found
    assert str(problem.error) == "1 Patient resource: nothing here refers to them"


@pytest.mark.parametrize("name", ["x.ndjson", "x.jsonl", "x.json"])
def test_lines_under_any_name_and_a_resource_type_behind_the_attachment(read: Read, name: str) -> None:
    long = note("n1", "word " * 5000)
    late = {key: value for key, value in long.items() if key != "resourceType"} | {"resourceType": "DocumentReference"}
    found, problems = read(name, json.dumps(late) + "\n" + json.dumps(note("n2")) + "\n")
    assert (len(found), problems) == (2, [])


def test_a_bundle_printed_over_many_lines_under_a_name_for_lines(read: Read) -> None:
    found, _ = read("x.ndjson", json.dumps(bundle(note()), indent=1))
    assert len(found) == 1


def test_bundles_inside_bundles_and_entries_that_are_none(read: Read) -> None:
    outer = bundle(bundle(note("n1")), note("n2"))
    outer["entry"] += [
        {"request": {}},
        5,
        {"resource": [1]},
        {"resource": {"resourceType": 7}},
        {"resource": {"id": "x"}},
    ]
    found, problems = read("b.json", outer)
    assert len(found) == 2
    assert len(problems) == 4


def test_broken_json_says_where_and_not_what(read: Read) -> None:
    text = json.dumps(bundle(note(text=CANARY)), indent=1)
    with pytest.raises(CorruptSource, match=r"line \d+, column \d+") as caught:
        read("b.json", text[: len(text) // 2])
    assert CANARY not in str(caught.value)
    with pytest.raises(UnsupportedFormat, match="not a FHIR resource"):
        read("b.json", {"hello": 1})
    with pytest.raises(CorruptSource, match="nested"):
        read("b.json", '{"resourceType":' + "[" * 100_000)


def test_a_bundle_over_the_limit_is_refused_with_advice(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fhir_resources, "MAX_BUNDLE_BYTES", 1 << 20)
    with pytest.raises(LimitExceeded) as caught:
        read("b.json.gz", gzip.compress(json.dumps(bundle(note(text="x" * (1 << 20)))).encode()))
    assert "NDJSON" in caught.value.advice


WRONG: tuple[Any, ...] = (5, True, "text", ["text"], [5], {"x": 1}, [[]])


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every field of a resource, at any depth."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*at, key)
        yield from paths(inner, (*at, key))


def damaged() -> Iterator[tuple[str, dict[str, Any]]]:
    """A good resource with each of its fields in turn deleted, or replaced by values of other types."""
    for good in (note(contained=[{"resourceType": "Binary", "id": "c"}]), report()):
        for path in paths(good):
            for wrong in (None, *WRONG):
                resource = copy.deepcopy(good)
                holder: Any = resource
                for key in path[:-1]:
                    holder = holder[key]
                holder[path[-1]] = wrong
                yield f"{good['resourceType']}.{'.'.join(map(str, path))}={wrong!r}", resource


def test_fields_of_a_wrong_type_cost_one_resource_at_most(read: Read) -> None:
    cases = list(damaged())
    assert len({name.partition("=")[0] for name, _ in cases}) >= 60
    found, problems = read("x.ndjson", "\n".join(json.dumps(r) for pair in cases for r in (pair[1], note("good"))))
    assert sum(f.document.doc_id == "DocumentReference/good" for f in found) == len(cases)
    shown = "".join(f"{p.where} {p.error} {p.error.advice}" for p in problems)
    assert CANARY not in shown
    assert "Sputum" not in shown
    # A safety field of the wrong type never lets the note through as if nothing had been said.
    for name, resource in cases:
        if name.startswith("DocumentReference.status=") and resource["status"] not in (None, "current"):
            one, _ = read("x.json", resource)
            assert not one, name


def linked(url: str) -> dict[str, Any]:
    return note(content=[{"attachment": {"contentType": "text/plain", "url": url}}])


@pytest.mark.parametrize(
    "url",
    ["Binary/b1", "https://fhir.example.org/r4/Binary/b1", "Binary/b1/_history/2", "files/n1.txt"],
    ids=["relative", "absolute", "version", "file"],
)
def test_attachments_beside_the_source(read: Read, tmp_path: Path, url: str) -> None:
    binary = {"resourceType": "Binary", "id": "b1", "contentType": "text/plain", "data": b64("Ferritin 11.")}
    (tmp_path / "Binary.000.ndjson.gz").write_bytes(gzip.compress(b"{broken\n" + json.dumps(binary).encode()))
    (tmp_path / "files").mkdir()
    (tmp_path / "files/n1.txt").write_text("Ferritin 11.")
    for name, data in (("DocumentReference.000.ndjson", json.dumps(linked(url))), ("b.json", bundle(linked(url)))):
        (found,), problems = read(name, data)
        assert (found.document.text, problems) == ("Ferritin 11.", [])


@pytest.mark.parametrize(
    "url",
    [
        "../secret.txt", "/etc/hostname", "file:///etc/hostname", "http://127.0.0.1:9/x.txt", ".hidden.txt", "link.txt",
        "folder/../../secret.txt", "Binary/none", "https://other.example.org/r4/Binary/b1", "b.json", "..\\secret.txt",
        "\0", "",
    ],
    ids=["up", "absolute", "scheme", "address", "hidden", "link", "through", "none", "other-server", "itself",
         "backslash", "nul", "empty"],
)  # fmt: skip
def test_nothing_outside_the_folder_is_opened(
    read: Read, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("a socket was opened"))
    (tmp_path.parent / "secret.txt").write_text("Zebulon")
    (tmp_path / ".hidden.txt").write_text("Zebulon")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.txt").symlink_to(tmp_path.parent / "secret.txt")
    binary = {"resourceType": "Binary", "id": "b1", "contentType": "text/plain", "data": b64("Zebulon")}
    (tmp_path / "Binary.ndjson").write_text(json.dumps(binary))
    entries = [
        {"fullUrl": "https://fhir.example.org/r4/Patient/pa", "resource": {"resourceType": "Patient", "id": "pa"}},
        {"resource": linked(url)},
    ]
    found, (problem, _) = read("b.json", {"resourceType": "Bundle", "entry": entries})
    assert not found
    assert problem.where == "b.json#DocumentReference/n1"
    assert problem.skipped
    assert "Zebulon" not in str(problem.error)


def test_pdfs_are_read_in_the_child_with_their_pages(read: Read, make_pdf: Callable[..., bytes]) -> None:
    pages = [f"BT /F1 12 Tf 20 300 Td ({said}) Tj ET" for said in ("Zinc 9.", "Seen by Dr. Po.")]
    attachment = {"contentType": "application/pdf", "data": b64(make_pdf(*pages))}
    entries = bundle(note("n1", content=[{"attachment": attachment}]), note("n2"), note("n3", content=[
        {"attachment": attachment}, {"attachment": {"contentType": "text/plain", "data": b64("The same in words.")}}
    ]))  # fmt: skip
    found, problems = read("b.json", entries)
    assert not problems
    document = found[0].document
    assert (document.text, document.pages) == ("Zinc 9.\n\fSeen by Dr. Po.", (0, 9))
    assert document.source.format == "fhir; application/pdf"
    assert found[2].document.text == "The same in words."
