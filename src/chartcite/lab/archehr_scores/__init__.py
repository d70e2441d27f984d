"""Official scores of ArchEHR-QA, 2025 and 2026, by the published rules, with what cannot be computed here named."""
