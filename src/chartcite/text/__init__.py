"""What a text is made of: sections, sentences, passages, index terms, language. Knows no file, model or store."""
