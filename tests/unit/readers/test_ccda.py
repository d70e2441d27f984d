"""C-CDA: narrative to lines, identity, what is negated, bodies, and XML that is an attack."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest

from chartcite.core.documents import Document
from chartcite.core.errors import CorruptSource, EmptySource, LimitExceeded, UnsupportedFormat
from chartcite.core.reading import Found, Problem

Read = Callable[..., tuple[list[Found], list[Problem]]]
HEAD = (
    '<id root="1.2" extension="d1"/><code code="1" displayName="Summary note"/><title>Visit</title>'
    '<effectiveTime value="20310302140000-0500"/><languageCode code="en-US"/>'
    '<recordTarget><patientRole><id root="2.16.840.1.113883.4.1" extension="900"/><id root="1.2.3" extension="77"/>'
    "</patientRole></recordTarget>"
    "<author><assignedAuthor><assignedPerson><name><given>Bo</given><family>Lind</family></name></assignedPerson>"
    "</assignedAuthor></author>"
)


def cda(*sections: str, head: str = HEAD) -> str:
    body = "".join(f"<component><section>{section}</section></component>" for section in sections)
    return (
        '<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:sdtc="urn:hl7-org:sdtc">'
        f"{head}<component><structuredBody>{body}</structuredBody></component></ClinicalDocument>"
    )


def section(text: str, title: str = "PLAN", rest: str = "") -> str:
    return f"<title>{title}</title><text>{text}</text>{rest}"


def test_the_header(read: Read) -> None:
    (found,), problems = read("a.xml", cda(section("Seen.")))
    document = found.document
    assert not problems
    assert found.patient_id == "77@1.2.3"
    assert (document.doc_id, document.title, document.note_type, str(document.time)) == (
        "a.xml", "Visit", "Summary note", "2031-03-02T14:00:00-05:00",
    )  # fmt: skip
    assert (document.author, document.lang, document.text) == ("Bo Lind", "en-US", "# PLAN\nSeen.\n")


NARRATIVES = {
    "paragraphs-and-breaks": (
        "<paragraph>Seen by nurse.<br/>Call  back\nTuesday.</paragraph>", "Seen by nurse.\nCall back Tuesday."
    ),
    "list": (
        "<list><caption>To do</caption><item>HbA1c in 3 months</item><item><content>Stop</content> metformin if "
        "eGFR &lt;30</item></list>",
        "To do\n- HbA1c in 3 months\n- Stop metformin if eGFR <30",
    ),
    "nested-numbered-list": (
        '<list listType="ordered"><item>One<list><item>inside</item></list></item><item>Two</item></list>',
        "1. One\n   - inside\n2. Two",
    ),
    "two-columns": (
        "<table><thead><tr><th>Substance</th><th>Reaction</th></tr></thead><tbody><tr><td>Penicillin</td>"
        "<td>Hives</td></tr><tr><td>Latex</td><td>None known</td></tr></tbody></table>",
        "Substance | Reaction\nPenicillin | Hives\nLatex | None known",
    ),
    "more-columns-name-their-cells": (
        "<table><thead><tr><th>Test</th><th>Value</th><th>Date:</th></tr></thead><tbody>"
        "<tr><td>Potassium</td>"
        "<td>5.8 mmol/L</td><td>2031-03-01</td></tr><tr><td>Sodium</td><td>136<br/>mmol/L</td><td/></tr>"
        "</tbody></table>",
        "Test: Potassium | Value: 5.8 mmol/L | Date: 2031-03-01\nTest: Sodium | Value: 136; mmol/L",
    ),
    "a-cell-over-rows": (
        "<table><thead><tr><th>Day</th><th>Test</th><th>Value</th></tr></thead><tbody>"
        '<tr><td rowspan="2">2031-03-01</td><td>K</td><td>5.8</td></tr><tr><td>Na</td><td>136</td></tr></tbody>'
        "</table>",
        "Day: 2031-03-01 | Test: K | Value: 5.8\nDay: 2031-03-01 | Test: Na | Value: 136",
    ),
    "head-without-thead": (
        "<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>",
        "A: 1 | B: 2 | C: 3",
    ),
    "no-head": (
        "<table><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>", "1 | 2 | 3"
    ),
    "head-without-rows": ("<table><thead><tr><th>A</th><th>B</th></tr></thead></table>", "A | B"),
    "struck-out": ('Takes <content revised="delete">no </content>aspirin.', "Takes aspirin."),
    "words-beside-a-table": (
        "Before<table><tbody><tr><td>x</td><td>y</td></tr></tbody></table>after", "Before\nx | y\nafter"
    ),
    "picture": (
        'See <renderMultiMedia referencedObject="m"><caption>X</caption></renderMultiMedia>below.', "See below."
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NARRATIVES)
def test_narrative(read_one: Callable[..., Document], name: str) -> None:
    xml, text = NARRATIVES[name]
    document = read_one("a.xml", cda(section(xml)))
    assert document.text == f"# PLAN\n{text}\n"
    rows = [line for line in text.split("\n") if " | " in line]
    assert [document.text[slice(*unit)] for unit in document.units] == rows


@pytest.mark.parametrize(
    ("narrative", "text"),
    [
        ("<paragraph>WBC 12 x 10<sup>3</sup>/uL, m<sup>2</sup></paragraph>", "WBC 12 x 10^3/uL, m2"),
        ("<paragraph>Dose 500<sup>1</sup> mg, CO<sub>2</sub></paragraph>", "Dose 500 [1] mg, CO2"),
        ("<paragraph>10<sup><content revised='delete'>3</content>4</sup></paragraph>", "10^4"),
    ],
    ids=["power", "mark", "revised"],
)
def test_a_raised_number_runs_into_no_other(read_one: Callable[..., Document], narrative: str, text: str) -> None:
    assert read_one("a.xml", cda(section(narrative))).text == f"# PLAN\n{text}\n"


def test_sections_inside_sections(read_one: Callable[..., Document]) -> None:
    inner = f"<component><section>{section('Clear.', 'Lungs')}</section></component>"
    document = read_one("a.xml", cda(section("", "EXAM", inner), section("Rest.", "PLAN")))
    assert document.text == "# EXAM\n\n## Lungs\nClear.\n\n# PLAN\nRest.\n"


NEGATED = '<entry><act negationInd="true"><text><reference value="#p"/></text></act></entry>'


@pytest.mark.parametrize(
    ("narrative", "is_marked"),
    [
        ('<paragraph ID="p">No known problems</paragraph>', False),
        ('<paragraph ID="p">Does not have diabetes</paragraph>', False),
        ('<paragraph ID="p">Diabetes</paragraph>', True),
        ('<list><item ID="p">Diabetes</item><item>Asthma</item></list>', True),
        ('<table><tbody><tr ID="p"><td>Pneumococcal vaccine</td><td>Completed</td></tr></tbody></table>', True),
        ('<table><tbody><tr><td><content ID="p">Vaccine</content></td><td>Completed</td></tr></tbody></table>', True),
        ('<table><tbody><tr ID="p"><td>Vaccine</td><td>Refused</td></tr></tbody></table>', False),
    ],
    ids=["no-known", "does-not", "paragraph", "item", "row", "in-a-row", "refused"],
)
def test_a_negated_entry_is_never_read_as_its_opposite(read: Read, narrative: str, is_marked: bool) -> None:
    (found,), problems = read("a.xml", cda(section(narrative, rest=NEGATED)))
    assert ("not so" in found.document.text) == is_marked
    assert found.document.text.count("not so") <= 1
    assert len(problems) == is_marked
    for unit in found.document.units:
        assert found.document.text[slice(*unit)].strip()


DATED = (
    '<entry><observation><text><reference value="#k"/></text><effectiveTime value="203102281130"/></observation>'
    "</entry>"
    '<entry><act><text><reference value="#n"/></text><effectiveTime><low value="203102"/></effectiveTime></act></entry>'
)


@pytest.mark.parametrize(
    ("narrative", "line"),
    [
        ('<table><tbody><tr ID="k"><td>K</td><td>5.8</td></tr></tbody></table>', "K | 5.8 [2031-02-28]"),
        ('<list><item ID="n">Asthma</item></list>', "- Asthma [from 2031-02]"),
        ('<list><item ID="n">Asthma since 2009</item></list>', "- Asthma since 2009"),
        ('<table><tbody><tr ID="k"><td ID="n">K</td><td>5.8</td></tr></tbody></table>', "K | 5.8"),
        ('<paragraph ID="k">Seen and sent home.</paragraph>', "Seen and sent home."),
        ('<list><item ID="other">Asthma</item></list>', "- Asthma"),
    ],
    ids=["row", "item", "has-its-own", "two-days", "prose", "no-entry"],
)
def test_a_row_without_a_date_gets_that_of_its_entry(read: Read, narrative: str, line: str) -> None:
    (found,), problems = read("a.xml", cda(section(narrative, rest=DATED)))
    assert (found.document.text, problems) == (f"# PLAN\n{line}\n", [])
    assert all(found.document.text[slice(*unit)] == line for unit in found.document.units)


@pytest.mark.parametrize(
    ("head", "patient"),
    [
        ("", None),
        ('<recordTarget><patientRole><id nullFlavor="UNK"/></patientRole></recordTarget>', None),
        ('<recordTarget><patientRole><id root="1.2.3"/></patientRole></recordTarget>', "1.2.3"),
        (
            '<recordTarget><patientRole><id root="2.16.840.1.113883.4.1" extension="9"/></patientRole></recordTarget>',
            "9@2.16.840.1.113883.4.1",
        ),
    ],
    ids=["nobody", "unknown", "root-only", "only-a-social-number"],
)
def test_whose_it_is(read: Read, head: str, patient: str | None) -> None:
    (found,), _ = read("a.xml", cda(section("Seen."), head=head))
    assert found.patient_id == patient


def test_several_patients_are_refused(read: Read) -> None:
    target = '<recordTarget><patientRole><id root="1" extension="2"/></patientRole></recordTarget>'
    with pytest.raises(CorruptSource, match="more than one patient"):
        read("a.xml", cda(section("Seen."), head=target * 2))


def unstructured(text: str) -> str:
    return f"<ClinicalDocument>{HEAD}<component><nonXMLBody>{text}</nonXMLBody></component></ClinicalDocument>"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_bodies_that_are_not_xml(read_one: Callable[..., Document], make_pdf: Callable[..., bytes]) -> None:
    plain = f'<text mediaType="text/plain" representation="B64">{b64("40 µg".encode("latin-1"))}</text>'
    assert read_one("a.xml", unstructured(plain)).text == "40 µg"
    assert read_one("a.xml", unstructured('<text mediaType="text/plain">CRP &lt;5</text>')).text == "CRP <5"
    pdf = make_pdf("BT /F1 12 Tf 20 300 Td (No fracture.) Tj ET")
    document = read_one(
        "a.xml", unstructured(f'<text mediaType="application/pdf" representation="B64">{b64(pdf)}</text>')
    )
    assert (document.text, document.pages) == ("No fracture.", (0,))


def test_an_rtf_body_gives_its_words_and_rows(read: Read) -> None:
    row = r"\trowd\cellx1\cellx999\intbl K\cell 5.8\cell\row"
    rtf = rf"{{\rtf1 No caf\'e9{{\v hidden}}.\par {row}}}".encode()
    body = f'<text mediaType="text/rtf" representation="B64">{b64(rtf)}</text>'
    (found,), problems = read("a.xml", unstructured(body))
    document = found.document
    assert document.text == "No café.\nK | 5.8\n"
    assert [document.text[slice(*unit)] for unit in document.units] == ["K | 5.8"]
    assert [str(p.error) for p in problems] == ["characters that a reader of the page cannot see, left out: 6"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f'<text mediaType="text/rtf" representation="B64">{b64(b"{ rtf1 x}")}</text>', CorruptSource),
        ('<text mediaType="application/pdf"><reference value="file:///etc/hostname"/></text>', UnsupportedFormat),
        ('<text mediaType="text/plain" representation="B64">!!!</text>', CorruptSource),
        ("<text/>", EmptySource),
        ("", EmptySource),
    ],
    ids=["rtf", "reference", "not-base64", "empty", "none"],
)
def test_bodies_that_give_no_text(read: Read, text: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        read("a.xml", unstructured(text))


def test_sections_without_narrative_and_bodies_in_entries_are_counted(read: Read) -> None:
    entry = '<entry><act><text mediaType="text/rtf" representation="B64">e30=</text></act></entry>'
    (found,), problems = read("a.xml", cda(section("Seen."), section("", "NOTES", entry)))
    assert found.document.text == "# PLAN\nSeen.\n\n# NOTES\n"
    assert [(str(p.error), p.skipped) for p in problems] == [
        ("sections with coded entries and without a narrative: 1", True),
        ("bodies inside entries that are not read (text/rtf): 1", True),
    ]
    with pytest.raises(EmptySource):
        read("a.xml", cda(section("", "NOTES", entry)))


def test_a_document_that_replaces_another_says_so(read: Read) -> None:
    head = HEAD + '<relatedDocument typeCode="RPLC"><parentDocument><id root="9"/></parentDocument></relatedDocument>'
    (found,), (problem,) = read("a.xml", cda(section("Seen."), head=head))
    assert (found.document.status, problem.skipped) == ("amended", True)


def bomb(levels: int) -> str:
    entities = '<!ENTITY e0 "spam">' + "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, levels)
    )  # fmt: skip
    return f"<!DOCTYPE z [{entities}]><ClinicalDocument><title>&e{levels - 1};</title></ClinicalDocument>"


ATTACKS = {
    "entity-bomb": bomb(10),
    "cycle": '<!DOCTYPE z [<!ENTITY a "&b;"><!ENTITY b "&a;">]><ClinicalDocument>&a;</ClinicalDocument>',
    "quadratic": f'<!DOCTYPE z [<!ENTITY a "{"x" * 50_000}">]><ClinicalDocument>{"&a;" * 5_000}</ClinicalDocument>',
    "external-entity": '<!DOCTYPE z [<!ENTITY x SYSTEM "file:///etc/hostname">]><ClinicalDocument>&x;</ClinicalDocument>',
    "external-dtd": '<!DOCTYPE z SYSTEM "http://127.0.0.1:9/x.dtd"><ClinicalDocument/>',
    "parameter-entity": '<!DOCTYPE z [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]><ClinicalDocument/>',
    "undeclared-entity": "<ClinicalDocument><title>&x;</title></ClinicalDocument>",
    "deep": "<ClinicalDocument>" + "<a>" * 100_000,
    "unclosed": "<ClinicalDocument><title>x",
    "bad-utf8": "<ClinicalDocument>\udcff</ClinicalDocument>",
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_xml_that_is_an_attack_is_refused_at_once(read: Read, name: str) -> None:
    data = ATTACKS[name].encode("utf-8", "surrogateescape")
    with pytest.raises((CorruptSource, LimitExceeded, UnsupportedFormat)) as raised:
        read("a.xml", data)
    said = f"{raised.value} {raised.value.advice}"
    assert "hostname" not in said
    assert "spam" not in said


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("<?xml version='1.0'?><!-- a <b> --><section><title>X</title></section>", "begins with `section`"),
        ("<feed><body>x</body></feed>", "begins with `feed`"),
        ("<?xml version='1.0'?>", "XML is not read"),
    ],
    ids=["piece", "other", "nothing"],
)
def test_other_xml_is_named_and_refused(read: Read, data: str, says: str) -> None:
    with pytest.raises(UnsupportedFormat, match=says):
        read("a.xml", data)


def test_character_sets_of_xml(read_one: Callable[..., Document]) -> None:
    source = cda(section("40 µg"))
    for charset in ("utf-8", "iso-8859-1", "windows-1252", "utf-16"):
        declared = source.replace('version="1.0"', f'version="1.0" encoding="{charset}"')
        assert read_one("a.xml", declared.encode(charset)).text == "# PLAN\n40 µg\n"


MARKED = " [not so: the source's entry for this is negated]"
TURNED = {
    "one-is-true": ("<observation negationInd='1'><text>{}</text></observation>", "Asthma", True),
    "zero-is-false": ("<observation negationInd='0'><text>{}</text></observation>", "Asthma", False),
    "by-its-value": (
        "<observation negationInd='true'><value><originalText>{}</originalText></value></observation>", "Asthma", True
    ),
    "by-its-drug": (
        "<substanceAdministration negationInd='true'><consumable><manufacturedProduct><manufacturedMaterial><code>"
        "<originalText>{}</originalText></code></manufacturedMaterial></manufacturedProduct></consumable>"
        "</substanceAdministration>", "Influenza vaccine", True,
    ),
    "the-reason-is-not-negated": (
        "<act negationInd='true'><entryRelationship><observation><text>{}</text></observation></entryRelationship>"
        "</act>",
        "Egg allergy", False,
    ),
    "no-reaction-is-not-no-vaccine": (
        "<act negationInd='true'><text>{}</text></act>", "Influenza vaccine, no adverse reaction", True
    ),
    "not-given-says-so": ("<act negationInd='true'><text>{}</text></act>", "Influenza vaccine not given", False),
    "none-is-not-turned": ("<act negationInd='true'><text>{}</text></act>", "No known allergies", False),
}  # fmt: skip


@pytest.mark.parametrize("name", TURNED)
def test_what_an_entry_negates(read: Read, name: str) -> None:
    entry, words, is_marked = TURNED[name]
    rest = f"<entry>{entry.format('<reference value=$#n$/>'.replace('$', chr(34)))}</entry>"
    found, _ = read("a.xml", cda(section(f'<list><item ID="n">{words}</item></list>', rest=rest)))
    assert found[0].document.text == f"# PLAN\n- {words}{MARKED if is_marked else ''}\n"


def test_a_cell_spans_no_further_than_its_group(read: Read) -> None:
    table = (
        "<table><thead><tr><th>Day</th><th>Test</th><th>Value</th></tr></thead>"
        '<tbody><tr><td rowspan="3">2031-01-01</td><td>K</td><td>4.1</td></tr></tbody>'
        "<tbody><tr><td>2031-02-02</td><td>K</td><td>5.2</td></tr></tbody></table>"
    )
    found, _ = read("a.xml", cda(section(table)))
    assert found[0].document.text.splitlines()[-1] == "Day: 2031-02-02 | Test: K | Value: 5.2"
