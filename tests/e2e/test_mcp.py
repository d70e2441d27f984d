"""`chartcite mcp` as an assistant meets it: the protocol's own client, over a real child process."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.conftest import CANARY, Command, script

import chartcite
from chartcite.core.access import Grant
from chartcite.store.access import AccessStore

pytest.importorskip("mcp", reason="the extra `serve` is not installed")

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

ASKED = {"question": "What is the warfarin dose?"}


def environment(command: Command) -> dict[str, str]:
    """The same without the guard against sockets: an event loop wakes itself by a pair of them."""
    return {**command.environment(), "PYTHONPATH": str(Path(chartcite.__file__).parents[1])}


def with_client(command: Command, *arguments: str, do: Callable[[Client], Awaitable[None]]) -> None:
    started = StdioServerParameters(command=script(), args=["mcp", *arguments], env=environment(command))

    async def run() -> None:
        async with Client(stdio_client(started)) as client:
            await do(client)

    # In a thread of its own: a browser that an earlier test opened leaves a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(asyncio.wait_for(run(), 120))).result()


def words(result: CallToolResult) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


async def fails(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert CANARY not in words(result)
    return str(result.structured_content["error"]["kind"])


def test_one_patient_is_all_that_its_tools_reach(shared: Command) -> None:
    async def do(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["ask", "search", "timeline", "verify"]
        for tool in tools.values():
            assert not {"patient", "collection"} & set(tool.input_schema["properties"])
            assert tool.input_schema["additionalProperties"] is False

        answer = await client.call_tool("ask", ASKED)
        found = answer.structured_content
        assert found["scope"] == {"patient": "p1"}
        assert "7 mg" not in json.dumps(found)  # another patient's
        for sentence in found["sentences"]:
            assert sentence["citations"][0]["quote"] in sentence["text"]
        text = words(answer)
        quoted = [line for line in text.splitlines() if "mg" in line]
        assert quoted
        assert all(line.startswith("> ") for line in quoted)

        held = await client.call_tool("verify", {"answer": found})
        assert held.structured_content["holds"] is True
        changed = json.loads(json.dumps(found).replace("5 mg", "50 mg"))
        assert (await client.call_tool("verify", {"answer": changed})).structured_content["holds"] is False
        passages = (await client.call_tool("search", {"query": "metformin"})).structured_content["passages"]
        assert passages[0]["doc_id"].startswith("p1/")
        timeline = (await client.call_tool("timeline", {"topic": "INR"})).structured_content
        assert timeline["scope"] == {"patient": "p1"}

        assert await fails(client, "ask", {**ASKED, "patient": "p2"}) == "UsageError"
        assert await fails(client, "verify", {"answer": {**found, "scope": {"patient": "p2"}}}) == "UnknownPartition"
        assert await fails(client, "ask", {"question": " "}) == "InvalidQuestion"
        assert await fails(client, "ask", {"question": 3}) == "UsageError"
        assert await fails(client, "timeline", {"topic": "zorblax"}) == "UnknownTopic"
        assert await fails(client, "patients", {}) == "UsageError"

    with_client(shared, "-p", "p1", do=do)


def test_all_that_is_there_is_named_and_then_chosen(shared: Command) -> None:
    async def do(client: Client) -> None:
        rows = (await client.call_tool("patients", {})).structured_content["partitions"]
        assert [row.get("patient") or row.get("collection") for row in rows] == ["p1", "p2", "guides"]
        found = (await client.call_tool("ask", {**ASKED, "patient": "p2"})).structured_content
        assert "7 mg" in found["sentences"][0]["text"]
        about = await client.call_tool("search", {"query": "metformin", "collection": "guides"})
        assert len(about.structured_content["passages"]) == 1
        assert await fails(client, "ask", ASKED) == "InvalidQuestion"
        assert await fails(client, "ask", {**ASKED, "patient": "p1", "collection": "guides"}) == "UsageError"
        assert await fails(client, "ask", {**ASKED, "patient": "P1"}) == "UnknownPartition"

    with_client(shared, do=do)


def test_a_token_opens_what_was_granted_and_nothing_else(copied: Command) -> None:
    access = AccessStore(copied.store)
    access.add_user("ana")
    access.grant("ana", Grant("patient", "p2"))
    token = access.make_token("ana", ["read"], datetime.now(UTC) + timedelta(days=1), None)
    (copied.home / "token").write_text(token, "utf-8")

    async def do(client: Client) -> None:
        rows = (await client.call_tool("patients", {})).structured_content["partitions"]
        assert [row.get("patient") for row in rows] == ["p2"]
        assert "7 mg" in words(await client.call_tool("ask", {**ASKED, "patient": "p2"}))
        refused = [await client.call_tool("ask", {**ASKED, "patient": name}) for name in ("p1", "nobody")]
        assert refused[0].is_error
        assert words(refused[0]) == words(refused[1])
        access.revoke_token(access.tokens()[0].id)
        assert await fails(client, "ask", {**ASKED, "patient": "p2"}) == "AccessDenied"

    with_client(copied, "--token-file", str(copied.home / "token"), do=do)
    for arguments in ([], ["-p", "p1"]):
        done = subprocess.run(
            [script(), "mcp", *arguments], env=environment(copied), input=b"", capture_output=True, check=False
        )
        assert (done.returncode, done.stdout) == (2, b"")


def test_a_partition_that_is_not_there_is_said_before_anything_is_served(shared: Command) -> None:
    done = subprocess.run(
        [script(), "mcp", "-p", "nobody"], env=environment(shared), input=b"", capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no such patient" in done.stderr
