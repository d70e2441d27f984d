"""The report of a run as one HTML file: `page` puts sections together, `charts` draws, `html` escapes."""
