"""No text that people see is without a translation, and translations put in the same values."""

from __future__ import annotations

import ast
import re
from string import Formatter

import pytest
from jinja2 import Environment
from jinja2.ext import extract_from_ast
from tests.told_texts import SOURCE, said_by_errors, trees

from chartcite.app.words import LANGUAGES, Language, Words, table

FOREIGN = [lang for lang in LANGUAGES if lang != "en"]
_GAPS = re.compile(r"\{\d*\}")
STYLES = {"green", "red", "dim", "yellow"}
HELPERS = {"were"}
"""Values that only the English text needs."""
_TABLES = {
    "_REASONS",
    "_CAUTIONS",
    "_REMARKS",
    "_NONE",
    "_SAID",
    "_HOW",
    "_STANDING",
    "_OUTCOMES",
    "_PROBLEMS",
    "NOTICE",
}


def texts() -> dict[str, str]:
    """Text -> the file that says it: what is given to `words(...)`, and the tables of texts in `app/render`."""
    found: dict[str, str] = dict.fromkeys(_of_templates("_"), "app/page/templates")
    for path, tree in trees():
        if not path.startswith("app/"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_words(node.func) and node.args:
                for text in _literals(node.args[0]):
                    found.setdefault(text, path)
            elif isinstance(node, ast.ListComp) and isinstance(node.elt, ast.Call) and _is_words(node.elt.func):
                for text in _literals(node.generators[0].iter):
                    found.setdefault(text, path)
            elif isinstance(node, ast.Assign | ast.AnnAssign) and path.startswith("app/render/"):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if node.value is not None and any(isinstance(t, ast.Name) and t.id in _TABLES for t in targets):
                    values = node.value.values if isinstance(node.value, ast.Dict) else [node.value]
                    for value in values:
                        for text in _literals(value):
                            found.setdefault(text, path)
    return {text: path for text, path in found.items() if re.search(r"[^\W\d_]{2}", _bare(text)) and text not in STYLES}


def _of_templates(function: str) -> list[str]:
    """The first text given to a function in the templates of the page."""
    found = []
    for path in sorted((SOURCE / "app/page/templates").glob("*.html")):
        for _, _, said in extract_from_ast(Environment(autoescape=True).parse(path.read_text("utf-8")), (function,)):
            first = said if isinstance(said, str) else said[0] if said else None
            found += [first] if first else []
    return found


def _bare(text: str) -> str:
    return re.sub(r"\{.*?\}", "", text)


def _is_words(call: ast.expr) -> bool:
    name = call.attr if isinstance(call, ast.Attribute) else call.id if isinstance(call, ast.Name) else ""
    return name in ("words", "spoken") or (isinstance(call, ast.Call) and _is_words(call.func))


def _literals(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return _literals(node.body) + _literals(node.orelse)
    if isinstance(node, ast.Tuple):
        return [text for element in node.elts for text in _literals(element)]
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        return [text for value in node.value.values for text in _literals(value)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def nouns() -> dict[str, str]:
    found: dict[str, str] = {}
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "plural":
                for text in _literals(node.args[1]):
                    found.setdefault(text, path)
    for noun in _of_templates("plural"):
        found.setdefault(noun, "app/page/templates")
    return found


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_texts_are_found() -> None:
    """The search itself works: it sees a plain call, a choice of two, a table and a constant."""
    known = texts()
    assert {
        "looked for: ",
        "cites nothing",
        "matches the cited sentences",
        "Added",
        "Until",
        "no longer listed",
        "Research use; not a medical device.",
        "Find a patient or a collection",
    } <= set(known)
    assert "The {place} nowhere has the words asked for: {words}." in known
    assert len(known) > 100


@pytest.mark.parametrize("lang", FOREIGN)
def test_every_text_is_translated(lang: str) -> None:
    missing = {text: path for text, path in texts().items() if text not in table(lang).text}
    assert not missing, f"Add them to src/chartcite/app/words/{lang}/text.toml."


@pytest.mark.parametrize("lang", FOREIGN)
def test_every_noun_has_two_forms(lang: str) -> None:
    missing = {noun: path for noun, path in nouns().items() if noun not in table(lang).nouns}
    assert not missing, f"Add them to src/chartcite/app/words/{lang}/text.toml, [nouns]."


@pytest.mark.parametrize("lang", FOREIGN)
def test_translations_put_in_the_same_values(lang: str) -> None:
    wrong = {t: said for t, said in table(lang).text.items() if names(t) - HELPERS != names(said) - HELPERS}
    assert not wrong


@pytest.mark.parametrize("lang", FOREIGN)
def test_translations_keep_the_white_space_at_the_ends(lang: str) -> None:
    def ends(text: str) -> tuple[str, str]:
        return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]

    assert not {text: said for text, said in table(lang).text.items() if ends(text) != ends(said)}


def test_english_is_as_it_stands_in_the_code() -> None:
    assert Words("en")("The {place} holds no answer.", place="record") == "The record holds no answer."
    assert Words("en").told("Unknown {}") == "Unknown {}"
    assert Words("en").plural(1, "query", "queries") == "1 query"


def test_numbers_are_grouped_as_the_language_does() -> None:
    assert (Words("pt").number(12_345), Words("pt").decimal(1234.5)) == ("12.345", "1.234,5")
    assert (Words("en").number(12_345), Words("en").decimal(1234.5)) == ("12,345", "1,234.5")


COMMANDS = ("chartcite ", "pip install", "chmod ", "--plot")
"""Advice that is a command is the same in every language."""
ENGLISH_ONLY = ("models/",)
"""What goes wrong with a model's files or its server is said in English: whoever mends it reads English names there."""


@pytest.mark.parametrize("lang", FOREIGN)
def test_every_error_advice_and_check_is_translated(lang: str) -> None:
    said = {text: path for text, path in said_by_errors().items() if not path.startswith(ENGLISH_ONLY)}
    assert len(said) > 300
    words = {text: path for text, path in said.items() if not text.startswith(COMMANDS) and len(_bare(text)) > 12}
    missing = {text: path for text, path in words.items() if text not in table(lang).told}
    assert not missing, f"Add them to src/chartcite/app/words/{lang}/told.toml."


@pytest.mark.parametrize("lang", FOREIGN)
def test_translations_of_errors_have_their_gaps(lang: str) -> None:
    told = table(lang).told
    assert not {text: said for text, said in told.items() if len(_GAPS.findall(text)) != len(_GAPS.findall(said))}


def test_an_error_is_told_with_its_values() -> None:
    words = Words("pt")
    assert words.told("There is no chartcite store in /a/b.") == "Não há acervo do chartcite em /a/b."
    assert words.told("The store has no such patient.") == "O acervo não tem: paciente."
    assert words.told("Lines 3 and 7 of the sources have the same id.") == "As linhas 3 e 7 das fontes têm o mesmo id."
    prepared = "This patient was never prepared with splitter s, analyser a and encoder e."
    assert words.told(prepared) == "Nunca foi preparado com divisor s, analisador a e codificador e: paciente."
    encoder = "bge_small_en@030f, 384 dimensions, 96-dimension token vectors"
    assert words.told(encoder) == "bge_small_en@030f, 384 dimensões, vetores por token de 96 dimensões"
    assert words.told("Something that nobody has words for.") == "Something that nobody has words for."


@pytest.mark.parametrize(
    ("said", "translation"),
    [
        ("The file is not a PDF, whatever its name says.", "O arquivo não é um PDF, diga o nome o que disser."),
        ("the file is not a PDF, whatever its name says", "o arquivo não é um PDF, diga o nome o que disser"),
        ("Pictures, left out: 3.", "Imagens, de fora: 3."),
        ("2 of 3 pages cannot be read.", "2 de 3 páginas não podem ser lidas."),
        ("1 of 2 pages has no text, and OCR found none.", "1 de 2 páginas está sem texto, e o OCR não achou nenhum."),
        (
            "The only page has no text that can be seen; it may be a scan that needs OCR.",
            "A única página não tem texto que se possa ver; talvez seja digitalizado e precise de OCR.",
        ),
    ],
    ids=["sentence", "as said", "beside a shorter pattern", "noun", "verb", "part"],
)
def test_a_line_of_the_ledger_is_told(said: str, translation: str) -> None:
    """The ledger gives errors a capital and a full stop before a door tells them."""
    assert Words("pt").told(said) == translation


@pytest.mark.parametrize("lang", FOREIGN)
def test_every_text_is_told_as_a_line_of_the_ledger(lang: Language) -> None:
    words, untold = Words(lang), []
    for text in table(lang).told:
        made = re.sub(r"\{\d*\}", "7", text)
        line = made[:1].upper() + made[1:] + ("" if made.endswith((".", "!", "?")) else ".")
        if len(_bare(text)) > 12 and words.told(line) == line and table(lang).told[text] != text:
            untold.append(text)
    assert not untold
