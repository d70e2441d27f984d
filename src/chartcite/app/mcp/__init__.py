"""The door for assistants: tools over the Model Context Protocol, on stdin and stdout."""
