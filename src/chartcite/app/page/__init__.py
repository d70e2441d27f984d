"""Door: the page. Rendered on the server, readable without JavaScript; TypeScript only makes it quicker to use."""
