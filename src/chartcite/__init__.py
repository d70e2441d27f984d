"""chartcite: cited, checked answers from medical records and documents."""

__version__ = "0.1.0"
