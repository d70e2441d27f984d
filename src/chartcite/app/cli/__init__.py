"""The command `chartcite`: one file a command group; nothing heavy is imported before a command runs."""
