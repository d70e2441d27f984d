"""The page of a run: what was done, what came of it, and what that is worth."""

from __future__ import annotations

from html import escape

from chartcite.lab.experiment.stage import Context


def page(ctx: Context) -> str:
    """One HTML document."""
    return f"<!doctype html><meta charset='utf-8'><title>{escape(ctx.spec.name)}</title>\n"
