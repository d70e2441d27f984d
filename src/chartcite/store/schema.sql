-- Version 9. A partition is a patient or a named collection; every derived row hangs on one through its document or
-- text, so that deleting the partition deletes everything. Times are ISO 8601 text.
CREATE TABLE partitions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,        -- never given twice: a patient deleted and come back is another partition
  kind TEXT NOT NULL CHECK (kind IN ('patient', 'collection')),
  name TEXT NOT NULL,
  seq INTEGER NOT NULL DEFAULT 0,              -- counts committed changes
  UNIQUE (kind, name)
);
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  partition INTEGER NOT NULL REFERENCES partitions ON DELETE CASCADE,
  doc_id TEXT NOT NULL,
  text TEXT NOT NULL,
  sha256 TEXT NOT NULL,                        -- of the text in UTF-8
  fingerprint TEXT NOT NULL,                   -- of the text and all metadata
  title TEXT NOT NULL, note_type TEXT NOT NULL,
  time TEXT, sort_key TEXT,
  author TEXT NOT NULL, lang TEXT NOT NULL, status TEXT NOT NULL, encounter_id TEXT NOT NULL,
  pages TEXT NOT NULL, hidden TEXT NOT NULL, bibliography TEXT NOT NULL,
  source_name TEXT NOT NULL, source_sha256 TEXT NOT NULL, source_format TEXT NOT NULL,
  origin TEXT NOT NULL,
  run TEXT NOT NULL,                           -- the ingest that last touched it
  UNIQUE (partition, doc_id)
);
CREATE TABLE layouts (                         -- where words stand on their pages, see core/layout.py
  document INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  data BLOB NOT NULL
);
CREATE TABLE originals (                       -- bytes of a document's own file, to show its pages; never read for answers
  document INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  data BLOB NOT NULL
);
CREATE TABLE feedback (                        -- what people say of answers, see feedback.py
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  partition INTEGER NOT NULL REFERENCES partitions ON DELETE CASCADE,
  at TEXT NOT NULL,
  data TEXT NOT NULL                           -- JSON: who, verdicts, comments and the answer as it was shown
);
CREATE TABLE replacements (                    -- a document that says it replaces another
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  doc_id TEXT NOT NULL,
  PRIMARY KEY (document, doc_id)
) WITHOUT ROWID;
CREATE INDEX replacements_by_replaced ON replacements (doc_id);
CREATE TABLE sentences (
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  n INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, kind TEXT NOT NULL, section TEXT NOT NULL,
  PRIMARY KEY (document, n)
) WITHOUT ROWID;
CREATE TABLE texts (                           -- distinct passage texts of a partition
  id INTEGER PRIMARY KEY,
  partition INTEGER NOT NULL REFERENCES partitions ON DELETE CASCADE,
  sha256 BLOB NOT NULL,
  UNIQUE (partition, sha256)
);
CREATE TABLE passages (
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  splitter TEXT NOT NULL,
  n INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
  text INTEGER NOT NULL REFERENCES texts,
  PRIMARY KEY (document, splitter, n)
) WITHOUT ROWID;
CREATE INDEX passages_by_text ON passages (text);
CREATE TABLE terms (
  id INTEGER PRIMARY KEY,
  partition INTEGER NOT NULL REFERENCES partitions ON DELETE CASCADE,
  term TEXT NOT NULL,
  UNIQUE (partition, term)
);
CREATE TABLE postings (                        -- int64 term numbers, then uint16 counts
  text INTEGER NOT NULL REFERENCES texts ON DELETE CASCADE,
  analyser TEXT NOT NULL,
  terms BLOB NOT NULL, counts BLOB NOT NULL,
  PRIMARY KEY (text, analyser)
) WITHOUT ROWID;
CREATE TABLE vectors (                         -- float32
  text INTEGER NOT NULL REFERENCES texts ON DELETE CASCADE,
  encoder TEXT NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (text, encoder)
);
CREATE TABLE token_vectors (                   -- int8 [n_tokens, token_dims]
  text INTEGER NOT NULL REFERENCES texts ON DELETE CASCADE,
  encoder TEXT NOT NULL,
  codes BLOB NOT NULL,
  UNIQUE (text, encoder)
);
CREATE TABLE packs (                           -- the arrays of a whole partition as they were at `seq`, see packs.py
  partition INTEGER NOT NULL REFERENCES partitions ON DELETE CASCADE,
  recipe TEXT NOT NULL,
  part TEXT NOT NULL,
  seq INTEGER NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (partition, recipe, part)
);
CREATE TABLE replies (                         -- of language models, see replies.py
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  partition INTEGER NOT NULL REFERENCES partitions ON DELETE CASCADE,
  key BLOB NOT NULL,                           -- sha256 of what was asked, of whom and how
  data BLOB NOT NULL,
  digest BLOB NOT NULL,                        -- sha256 of key and data
  UNIQUE (partition, key)
);
CREATE TABLE secrets (                         -- what the surrogates of de-identification follow from
  partition INTEGER PRIMARY KEY REFERENCES partitions ON DELETE CASCADE,
  secret BLOB NOT NULL
);
CREATE TABLE findings (                        -- what records read in a document, under which rules
  document INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  rules TEXT NOT NULL,
  data BLOB NOT NULL
);
CREATE TABLE marks (                           -- of each sentence eight bytes, see text/marks.py
  document INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  data BLOB NOT NULL
);
CREATE TABLE persons (                         -- who sources say a patient is, to notice two people of one identifier
  partition INTEGER PRIMARY KEY REFERENCES partitions ON DELETE CASCADE,
  born TEXT NOT NULL, sex TEXT NOT NULL, name TEXT NOT NULL
);
CREATE TABLE sources (                         -- what was read whole, so that a rerun need not read it again
  name TEXT NOT NULL, target TEXT NOT NULL,
  sha256 TEXT NOT NULL, settings TEXT NOT NULL, documents INTEGER NOT NULL,
  PRIMARY KEY (name, target)
) WITHOUT ROWID;
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL, at TEXT NOT NULL, source TEXT NOT NULL, outcome TEXT NOT NULL,
  kind TEXT NOT NULL, reason TEXT NOT NULL, advice TEXT NOT NULL,
  documents INTEGER NOT NULL, chars INTEGER NOT NULL
);
