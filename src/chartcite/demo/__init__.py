"""The bundled fictional records, articles and questions of `chartcite demo`. Data only; imports nothing."""
