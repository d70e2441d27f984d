"""Each adapter on invented rows, in the shared form and, where it differs, in the published one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chartcite.lab.cases import EvidenceSentence, Relevant, Statement, cluster_of
from chartcite.lab.dataset import qrels_of
from chartcite.lab.datasets.beir import DATASET as BEIR
from chartcite.lab.datasets.expertqa_health import DATASET as EXPERTQA
from chartcite.lab.datasets.kqa import DATASET as KQA
from chartcite.lab.datasets.medec import DATASET as MEDEC
from chartcite.lab.datasets.medquad import DATASET as MEDQUAD
from chartcite.lab.datasets.meqsum import DATASET as MEQSUM
from chartcite.lab.datasets.nli4ct import DATASET as NLI4CT
from chartcite.lab.datasets.nli4ct_lines import DATASET as NLI4CT_LINES
from chartcite.lab.datasets.plain_csv import DATASET as PLAIN
from chartcite.lab.datasets.pubmedqa import DATASET as PUBMEDQA
from chartcite.lab.datasets.rebec_pt import DATASET as REBEC
from chartcite.lab.datasets.scifact import DATASET as SCIFACT
from chartcite.lab.datasets.trec_files import DATASET as TREC
from chartcite.lab.errors import BadTable

Put = Callable[..., Path]


@pytest.mark.parametrize(
    ("doc", "refutes"),
    [
        ({"_id": "7", "title": "T", "sentences": ["One. ", "Two."]}, "REFUTE"),
        ({"doc_id": 7, "title": "T", "abstract": ["One. ", "Two."]}, "CONTRADICT"),
    ],
)
def test_scifact(put: Put, doc: dict[str, object], refutes: str) -> None:
    evidence = {"7": [{"sentences": [0, 1], "label": refutes}, {"sentences": [1], "label": refutes}]}
    put("corpus.jsonl", [doc])
    put("claims_train.jsonl", [])
    folder = put(
        "claims_dev.jsonl",
        [
            {"id": 1, "claim": "A", "evidence": evidence, "cited_doc_ids": [7]},
            {"id": 2, "claim": "B", "evidence": {}, "cited_doc_ids": [7]},
        ],
    )
    (item,) = SCIFACT.corpus(folder)
    assert (item.id, item.text, item.sentences) == ("7", "One. Two.", ("One.", "Two."))
    first, second = SCIFACT.claims(folder)
    assert (first.label, first.raw_label, first.items) == ("contradicted", refutes, ("7",))
    assert first.evidence == (
        EvidenceSentence("7", 0, 0), EvidenceSentence("7", 1, 0), EvidenceSentence("7", 1, 1)
    )  # fmt: skip
    assert (second.label, second.evidence) == ("not_enough", ())
    assert qrels_of(SCIFACT.cases(folder)) == {"1": {"7": 1}, "2": {"7": 1}}


TRIAL = {"Intervention": ["i"], "Eligibility": ["e"], "Results": ["r0", "  r1"], "Adverse Events": ["a"]}
STATEMENT = {
    "Type": "Comparison", "Section_id": "Results", "Primary_id": "NCT1", "Secondary_id": "NCT2", "Statement": "S",
    "Label": "Entailment", "Primary_evidence_index": [0, 1], "Secondary_evidence_index": [1],
}  # fmt: skip


@pytest.mark.parametrize("published", [False, True])
def test_nli4ct(put: Put, published: bool) -> None:
    if published:
        for trial in ("NCT1", "NCT2"):
            put(f"CT json/{trial}.json", {"Clinical Trial ID": trial, **TRIAL})
        put("train.json", {"u1": STATEMENT})
        folder = put("dev.json", {})
    else:
        put("trials.jsonl.gz", [{"_id": "NCT1", **TRIAL}, {"_id": "NCT2", **TRIAL}])
        put("train.jsonl.gz", [{"_id": "u1", **STATEMENT}])
        folder = put("dev.jsonl.gz", [])
    items = list(NLI4CT.corpus(folder))
    assert [i.id for i in items][2:5] == ["NCT1/Results", "NCT1/Adverse Events", "NCT2/Intervention"]
    assert items[2].sentences == ("r0", "  r1")
    (claim,) = NLI4CT.claims(folder)
    assert (claim.id, claim.split, claim.label) == ("u1", "train", "supported")
    assert claim.items == ("NCT1/Results", "NCT2/Results")
    assert [(e.item_id, e.sentence) for e in claim.evidence] == [
        ("NCT1/Results", 0), ("NCT1/Results", 1), ("NCT2/Results", 1)
    ]  # fmt: skip


def test_nli4ct_lines(put: Put) -> None:
    put("trials.jsonl.gz", [{"_id": "NCT1", **TRIAL}, {"_id": "NCT2", **TRIAL}, {"_id": "NCT3", **TRIAL}])
    put("train.jsonl.gz", [{"_id": "u1", **STATEMENT}])
    one = {k: v for k, v in STATEMENT.items() if not k.startswith("Secondary")}
    folder = put("dev.jsonl.gz", [{"_id": "u2", **one}])
    cases = list(NLI4CT_LINES.cases(folder))
    assert [(c.id, c.split, c.patient_id, c.cluster) for c in cases] == [
        ("u1/Primary", "train", "NCT1/Results", "u1"),
        ("u1/Secondary", "train", "NCT2/Results", "u1"),
        ("u2/Primary", "dev", "NCT1/Results", "u2"),
    ]
    assert [r.item_id for r in cases[0].relevant] == ["NCT1/Results/0", "NCT1/Results/1"]
    items = [(i.id, i.text, i.patient_id, i.group) for i in NLI4CT_LINES.corpus(folder)]
    assert items[0] == ("NCT1/Results/0", "r0", "NCT1/Results", "dev")
    assert {i[3] for i in items if i[2] == "NCT2/Results"} == {"train"}
    assert {i[2] for i in items} == {"NCT1/Results", "NCT2/Results"}


ANSWER = "Question: What is gout ? (Also called: x)\nURL: https://example.org/a\nAnswer: Gout is\na disease."


@pytest.mark.parametrize("published", [False, True])
def test_medquad(put: Put, published: bool) -> None:
    if published:
        put(
            "TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml",
            '<?xml version="1.0" encoding="UTF-8"?><S><NLM-QUESTION qid="TQ1"><Original-Question><SUBJECT>s</SUBJECT>'
            "<MESSAGE>my  foot\n hurts</MESSAGE></Original-Question><NLM-Summary> Is it gout? </NLM-Summary>"
            "<ANNOTATIONS><TYPE>CAUSE</TYPE></ANNOTATIONS><ReferenceAnswers><RefAnswer><ANSWER> Yes. </ANSWER>"
            "</RefAnswer></ReferenceAnswers></NLM-QUESTION></S>",
        )
        put(
            "All-qrels_LiveQAMed2017-TestQuestions_2479_Judged-Answers.txt",
            "1 1-Incorrect B_1.txt\n1 3-Incomplete A_1.txt\n1 4-Excellent A_1.txt\n",
        )
        folder = put("All-2479-Answers-retrieved-from-MedQuAD.csv", f'AnswerID,Answer\nA_1.txt,"{ANSWER}"\n')
    else:
        put(
            "liveqa_questions.jsonl",
            [{"_id": "TQ1", "subject": "s", "message": "my foot hurts", "summary": "Is it gout?", "types": ["CAUSE"],
              "reference_answers": [{"text": "Yes.", "url": "u"}]}],
        )  # fmt: skip
        put("liveqa_qrels.tsv", "qid\tdocid\tscore\nTQ1\tB_1.txt\t1\nTQ1\tA_1.txt\t4\nTQ1\tA_1.txt\t3\n")
        folder = put("liveqa_answers.jsonl.gz", [{"_id": "A_1.txt", "text": ANSWER}])
    (item,) = MEDQUAD.corpus(folder)
    assert (item.title, item.text, item.group) == ("What is gout ? (Also called: x)", "Gout is\na disease.", "A")
    (case,) = MEDQUAD.cases(folder)
    assert (case.question, case.summary, case.references, case.group) == (
        "my foot hurts", "Is it gout?", ("Yes.",), "CAUSE"
    )  # fmt: skip
    assert case.narrative == "s\n\nmy foot hurts"
    assert case.relevant == (Relevant("B_1.txt", 0), Relevant("A_1.txt", 2))


@pytest.mark.parametrize("grade", ["5", "x"])
def test_medquad_refuses_what_is_no_grade(put: Put, grade: str) -> None:
    put("liveqa_questions.jsonl", [{"_id": "TQ1", "message": "m"}])
    folder = put("liveqa_qrels.tsv", f"qid\tdocid\tscore\nTQ1\ta\t{grade}\n")
    with pytest.raises(BadTable, match="line 2"):
        list(MEDQUAD.cases(folder))


def test_meqsum(put: Put) -> None:
    folder = put("meqsum.jsonl.gz", [{"_id": "1", "chq": "SUBJECT: x", "summary": "What?"}])
    (case,) = MEQSUM.cases(folder)
    assert (case.narrative, case.summary) == ("SUBJECT: x", "What?")


def test_pubmedqa(put: Put) -> None:
    shared = {
        "_id": "1", "question": "Q?", "contexts": ["a", "b"], "long_answer": "L", "answer": "yes", "split": "test"
    }  # fmt: skip
    folder = put("pqal.jsonl.gz", [shared])
    (case,), (item,) = PUBMEDQA.cases(folder), PUBMEDQA.corpus(folder)
    assert (case.label, case.references, case.split, item.text) == ("yes", ("L",), "test", "a\nb")


def test_pubmedqa_as_published(put: Put) -> None:
    row = {"QUESTION": "Q?", "CONTEXTS": ["a"], "LONG_ANSWER": "L", "final_decision": "no"}
    put("ori_pqal.json", {"1": row, "2": row})
    folder = put("test_ground_truth.json", {"2": "no"})
    assert [(c.id, c.split, c.label) for c in PUBMEDQA.cases(folder)] == [("1", "dev", "no"), ("2", "test", "no")]


@pytest.mark.parametrize("published", [False, True])
def test_kqa(put: Put, published: bool) -> None:
    put(
        "questions_w_answers.jsonl",
        [{"Question": "Q?", "Free_form_answer": "A", "Must_have": [" m "], "Nice_to_have": ["n"], "ICD_10_diag": None}],
    )
    if published:
        head = ",Question,llm_x,answer,claim,category_x,majority_label,label_0,label_1,label_2"
        folder = put(
            "NLI_medical_annotator.csv",
            f'{head}\n0,Q?,gpt4,"said, so",m,Must_have,Contradiction,Contradiction,Contradiction,Neutral\n',
        )
    else:
        folder = put(
            "nli_physician_labels.jsonl.gz",
            [{"Question": "Q?", "llm_x": "gpt4", "answer": "said, so", "claim": "m", "category_x": "Must_have",
              "majority_label": "Contradiction", "label_0": "Contradiction", "label_1": "Contradiction",
              "label_2": "Neutral"}],
        )  # fmt: skip
    (case,), (claim,) = KQA.cases(folder), KQA.claims(folder)
    assert case.statements == (Statement("m"), Statement("n", required=False))
    assert (claim.label, claim.context, claim.ratings) == (
        "contradicted", ("said, so",), ("Contradiction", "Contradiction", "Neutral")
    )  # fmt: skip
    assert cluster_of(claim) == "Q?"


def test_expertqa_and_its_published_form(put: Put) -> None:
    claim = {"support": "Partial", "correctness": "Unsure", "evidence": ["[1] e"]}
    folder = put("claims.jsonl.gz", [{"question": "Q", "model": "m", "answer": "A", "claim": "C", **claim}])
    (shared,) = EXPERTQA.claims(folder)
    (folder / "claims.jsonl.gz").unlink()
    answers = {"m": {"answer_string": "A", "claims": [{"claim_string": "C", **claim}]}}
    rows = [
        {"question": "Q", "answers": answers, "metadata": {"field": "Healthcare / Medicine"}},
        {"question": "R", "answers": answers, "metadata": {"field": "Law"}},
    ]
    put("data/lfqa/domain_val.jsonl", rows)
    put("data/lfqa/rand_test.jsonl", rows)
    (published,) = EXPERTQA.claims(folder)
    assert published == shared
    assert (shared.label, shared.context, shared.ratings[0], shared.group) == ("partial", ("[1] e",), "Unsure", "m")


def test_medec_numbers_its_lines_and_says_when_the_error_is_not_where_it_should_be(put: Put) -> None:
    spoilt = {
        "Text ID": "ms-val-0", "Text": "T", "Sentences": "0 One.\n1 Labs:\n\nNa 137\n5 mmol\n2 It is flu.\n",
        "Error Flag": "1", "Error Type": "diagnosis", "Error Sentence ID": "2", "Error Sentence": "It is  flu.",
        "Corrected Sentence": "It is mumps.", "split": "val",
    }  # fmt: skip
    other = {**spoilt, "Text ID": "ms-val-1", "Error Sentence ID": "0"}
    right = {
        **spoilt, "Text ID": "ms-val-2", "Error Flag": "0", "Error Type": "NA", "Error Sentence ID": "-1",
        "Error Sentence": "NA", "Corrected Sentence": "NA",
    }  # fmt: skip
    first, second, third = MEDEC.notes(put("medec_ms.jsonl.gz", [spoilt, other, right]))
    assert first.sentences == ("One.", "Labs:\nNa 137\n5 mmol", "It is flu.")
    assert (first.wrong_sentence, first.corrected, first.kind) == (2, "It is mumps.", "diagnosis")
    assert (second.spoilt, second.wrong_sentence, second.wrong) == (True, None, "It is  flu.")
    assert (third.spoilt, third.wrong, third.kind) == (False, "", "")


def test_medec_as_published(put: Put) -> None:
    head = "Text ID,Text,Sentences,Error Flag,Error Type,Error Sentence ID,Error Sentence,Corrected Sentence"
    folder = put("MEDEC-MS-TestSet-with-GroundTruth.csv", f'{head}\nms-test-0,T,"0 A.\n1 B.\n",0,NA,-1,NA,NA\n')
    (note,) = MEDEC.notes(folder)
    assert (note.split, note.sentences) == ("test", ("A.", "B."))


def test_rebec(put: Put) -> None:
    portuguese = {
        "public_title": ["Título"], "freetext": ["a", "b"], "inclusion_criteria": ["i"], "exclusion_criteria": ["e"],
        "primary_outcome": ["dor"],
    }  # fmt: skip
    sections = {"pt-br": portuguese, "en": {"public_title": ["Title"]}}
    folder = put("trials.jsonl.gz", [{"_id": "R1", "split": "train", "sections": sections}])
    body, criteria = REBEC.corpus(folder)
    assert (body.id, body.text, criteria.text, body.lang) == ("R1/body", "a\nb\ni\ne\ndor", "i\ne", "pt")
    found = [(c.id, c.question, c.lang, c.relevant[0].item_id, cluster_of(c)) for c in REBEC.cases(folder)]
    assert found == [
        ("R1/title", "Título", "pt", "R1/body", "R1"),
        ("R1/title_en", "Title", "en", "R1/body", "R1"),
        ("R1/outcome", "dor", "pt", "R1/criteria", "R1"),
    ]


def test_beir(put: Put) -> None:
    put("corpus.jsonl", [{"_id": "d1", "title": "T", "text": "x"}])
    put("queries.jsonl", [{"_id": "q1", "text": "one"}, {"_id": "q2", "text": "two"}])
    folder = put("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq2\td1\t1\n")
    assert [(c.id, c.split, c.relevant) for c in BEIR.cases(folder)] == [("q2", "test", (Relevant("d1"),))]
    assert [i.title for i in BEIR.corpus(folder)] == ["T"]


def test_trec_files(put: Put) -> None:
    put("corpus.jsonl", [{"id": "d1", "text": "x"}])
    put("qrels.txt", "q1 0 d1 2\n")
    folder = put("topics.tsv", "q1\tone two\n\nq2\tthree\n")
    assert [(c.id, c.question, c.relevant) for c in TREC.cases(folder)] == [
        ("q1", "one two", (Relevant("d1", 2),)), ("q2", "three", ())
    ]  # fmt: skip
    put("topics.tsv", "q1\tone\nq1\ttwo\n")
    with pytest.raises(BadTable, match="line 2"):
        list(TREC.cases(folder))


def test_plain_csv(put: Put) -> None:
    put("documents.csv", "id,text\nd1,hello\n")
    folder = put(
        "questions.csv",
        'question,reference_answer,relevant_ids,group\n"How, much?",5 mg,d1 | d2;d1,dose\nWhere?,,,\n',
    )
    first, second = PLAIN.cases(folder)
    assert (first.id, first.question, first.references, first.group) == ("q1", "How, much?", ("5 mg",), "dose")
    assert first.relevant == (Relevant("d1"), Relevant("d2"))
    assert (second.id, second.references, second.relevant) == ("q2", (), ())
    assert [i.id for i in PLAIN.corpus(folder)] == ["d1"]
    assert list(PLAIN.cases(folder / "questions.csv")) == [first, second]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("q\nx\n", "no column question"),
        ("question,id\na,1\nb,1\n", "line 3"),
        ("question\n \n", "line 2"),
        ("question,reference_answer\na\n", "line 2: 1 cells"),
    ],
)
def test_a_damaged_plain_csv_is_refused(put: Put, content: str, says: str) -> None:
    with pytest.raises(BadTable, match=says):
        list(PLAIN.cases(put("questions.csv", content)))
