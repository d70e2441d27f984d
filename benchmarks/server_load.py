"""200 asks at once: how many are answered in what time, how many are sent away, and how much memory it takes.

Usage: python benchmarks/server_load.py STORE WORK [--asks 200] [--users 50] [--rounds 3] [--queue 32] [--json OUT]

STORE is copied into WORK. All asks of a round are sent at the same moment, each on a connection of its own, over
loopback; users, questions and patients in turns. Refusals (429, 503) must carry Retry-After; anything else is a fault.
Each answer is compared with the one that the same question got alone before.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from served.process import Server, token_of

QUESTIONS = (
    "What is the metformin dose?", "Which medicines were stopped?", "When was the last creatinine measured?",
    "Is there a history of stroke?", "What allergies are there?",
)  # fmt: skip


async def run(server: Server, tokens: list[str], asks: int, rounds: int) -> dict[str, Any]:
    """All rounds against one server."""
    limits = httpx.Limits(max_connections=asks)
    async with httpx.AsyncClient(base_url=server.address, limits=limits, timeout=300) as client:
        models = (await client.get("/v1/models", headers=_as(tokens[0]))).json()["data"]
        patients = [m["id"].split("/", 2)[2] for m in models if m["id"].startswith("chartcite/patient/")]
        pairs = [(p, q) for q in QUESTIONS for p in patients]
        alone: dict[tuple[str, str], Any] = {}
        begun = time.monotonic()
        for patient, question in pairs:
            sent = _ask(patient, question)
            alone[patient, question] = (await client.post("/api/v1/ask", json=sent, headers=_as(tokens[0]))).json()
        single = (time.monotonic() - begun) / len(pairs)
        rows = [await _round(client, tokens, pairs, alone, asks) for _ in range(rounds)]
    return {"one_at_a_time_s": round(single, 3), "rounds": rows, "peak_mb": round(server.peak_mb(), 1)}


async def _round(
    client: httpx.AsyncClient,
    tokens: list[str],
    pairs: list[tuple[str, str]],
    alone: dict[tuple[str, str], Any],
    asks: int,
) -> dict[str, Any]:
    statuses: Counter[str] = Counter()
    times: list[float] = []

    async def one(n: int) -> None:
        patient, question = pairs[n % len(pairs)]
        begun = time.monotonic()
        headers = _as(tokens[n % len(tokens)])
        response = await client.post("/api/v1/ask", json=_ask(patient, question), headers=headers)
        if response.status_code == 200:
            times.append(time.monotonic() - begun)
            statuses["same" if response.json() == alone[patient, question] else "different"] += 1
        elif response.status_code in (429, 503) and int(response.headers.get("retry-after", 0)) > 0:
            statuses[f"refused {response.status_code}"] += 1
        else:
            statuses[f"fault {response.status_code}"] += 1

    begun = time.monotonic()
    await asyncio.gather(*(one(n) for n in range(asks)))
    seconds = time.monotonic() - begun
    shares = {f"p{p}_s": round(float(np.percentile(times, p)), 2) for p in (50, 95)} if times else {}
    return {"statuses": dict(sorted(statuses.items())), "answers_per_s": round(len(times) / seconds, 2), **shares}


def _ask(patient: str, question: str) -> dict[str, str]:
    return {"question": question, "patient": patient}


def _as(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--asks", type=int, default=200)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--queue", type=int, default=32)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    store = given.work / "store"
    given.work.mkdir(parents=True, exist_ok=True)
    shutil.copytree(given.store, store)
    tokens = [token_of(store, f"user{n}") for n in range(given.users)]
    server = Server(store, given.work / "log", "--queue", str(given.queue))
    try:
        found = asyncio.run(run(server, tokens, given.asks, given.rounds))
    finally:
        found_code = server.end()
    found["exit"] = found_code
    print(json.dumps(found, indent=1))
    if given.json:
        given.json.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
