"""OCR engines: an image of a page to words with boxes and confidence. Helpers of the room begin with `_`."""
