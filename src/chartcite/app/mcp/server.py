"""The protocol: lists the tools, runs one at a time off the event loop, gives results and errors in its words.

An exception that has no name of ours is told by its type alone, and logged nowhere: its text may be a record's.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as wire
from mcp.server import Server
from mcp.server.stdio import stdio_server

from chartcite import __version__
from chartcite.app.mcp.calls import DATA, Result, Tool, tools_for
from chartcite.app.mcp.said import said_error
from chartcite.core.errors import ChartciteError, UsageError

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from chartcite.app.mcp.records import Records
    from chartcite.core.scope import Scope

_INSTRUCTIONS = (
    "Answers from medical records and documents, with citations that were checked. Research use; not a medical device. "
    f"Keep the citations with every statement, and say plainly when an answer abstains. {DATA}"
)


class Desk:
    """One book and its tools. A book serves one thread at a time, so that calls wait for each other."""

    def __init__(self, book: Records, fixed: Scope | None) -> None:
        self._book, self._fixed = book, fixed
        self._tools = {tool.name: tool for tool in tools_for(fixed)}
        self._lock = threading.Lock()

    async def list_tools(self, _context: ServerRequestContext[Any], _page: object) -> wire.ListToolsResult:
        """All tools."""
        return wire.ListToolsResult(tools=[_described(tool) for tool in self._tools.values()])

    async def call(self, _context: ServerRequestContext[Any], asked: wire.CallToolRequestParams) -> wire.CallToolResult:
        """One call; when it is cancelled, its work is told to stop."""
        stop = threading.Event()
        try:
            return await anyio.to_thread.run_sync(self._work, asked, stop, abandon_on_cancel=True)
        finally:
            stop.set()

    def _work(self, asked: wire.CallToolRequestParams, stop: threading.Event) -> wire.CallToolResult:
        try:
            tool = self._tools.get(asked.name)
            if tool is None:
                raise UsageError("There is no such tool.", f"These are there: {', '.join(self._tools)}.")
            with self._lock:
                if stop.is_set():
                    return _failed("Cancelled", "Cancelled: nobody waits for it any more.")
                return _told(tool(self._book, asked.arguments or {}, self._fixed, stop))
        except ChartciteError as error:
            return _failed(error.kind, said_error(error), str(error), error.advice)
        except Exception as error:  # noqa: BLE001 - told by its type: its text may quote a record
            return _failed(type(error).__name__, f"Unexpected {type(error).__name__}: a fault in chartcite.")


def _described(tool: Tool) -> wire.Tool:
    output = {"type": "object", "properties": {"schema": {"const": tool.schema}}, "required": ["schema"]}
    hints = wire.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    return wire.Tool(
        name=tool.name, title=tool.title, description=tool.description, input_schema=tool.takes.model_json_schema(),
        output_schema=output, annotations=hints,
    )  # fmt: skip


def _told(result: Result) -> wire.CallToolResult:
    return wire.CallToolResult(
        content=[wire.TextContent(type="text", text=result.text)], structured_content=result.content
    )


def _failed(kind: str, text: str, message: str = "", advice: str = "") -> wire.CallToolResult:
    return wire.CallToolResult(
        content=[wire.TextContent(type="text", text=text)], is_error=True,
        structured_content={"error": {"kind": kind, "message": message or text, "advice": advice}},
    )  # fmt: skip


def serve(book: Records, fixed: Scope | None) -> None:
    """Serve one client on stdin and stdout until it leaves."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)  # its lines quote arguments
    desk = Desk(book, fixed)
    server: Server[Any] = Server(
        "chartcite", version=__version__, instructions=_INSTRUCTIONS, on_list_tools=desk.list_tools,
        on_call_tool=desk.call,
    )  # fmt: skip

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)
