"""Takes, uses and loses an exclusive nodeset with the official Python MCP SDK 2, in both protocol eras.

Usage: exclusive.py COMMAND …, which serves `gridworld` when `--port 0` and an idle limit follow it.
"""

import asyncio
import json
import subprocess
import sys
import urllib.error
import urllib.request

import mcp

IDLE_S = 2


def is_ready(base):
    """Whether the server, which says where it listens before it is ready, is ready."""
    try:
        with urllib.request.urlopen(base + "/health", timeout=10) as answer:
            return answer.status == 200
    except urllib.error.HTTPError:
        return False


def plain(result):
    """The result as it was on the wire."""
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


async def call(client, node, **arguments):
    result = plain(await client.call_tool(f"gridworld__{node}", arguments))
    if result.get("isError", False):
        return json.loads(result["content"][0]["text"])
    return result["structuredContent"]


async def older(url):
    """The session is the lease, and lives on while its client answers."""
    async with mcp.Client(url, mode="legacy") as client:
        assert (await call(client, "acquire"))["lease"] == "this-session"
        first = await call(client, "step", action="right")
        await asyncio.sleep(2 * IDLE_S)
        second = await call(client, "step", action="right")
        assert second["steps"] == first["steps"] + 1, second


async def newer(url):
    """The lease is an argument, which the SDK mirrors in a header by itself."""
    async with mcp.Client(url, mode="2026-07-28") as client:
        refused = await call(client, "step", action="right")
        assert (refused["stage"], refused["type"]) == ("busy", "lease_needed"), refused
        lease = (await call(client, "acquire"))["lease"]
        async with mcp.Client(url, mode="2026-07-28") as other:
            busy = await call(other, "acquire")
            assert busy["data"]["reason"] == "mcp_exclusive" and busy["data"]["heldBy"], busy
        first = await call(client, "step", action="right", lease=lease)
        second = await call(client, "step", action="right", lease=lease)
        assert second["steps"] == first["steps"] + 1, second
        assert (await call(client, "release", lease=lease)) == {"released": True}
        lease = (await call(client, "acquire"))["lease"]
        await asyncio.sleep(2 * IDLE_S)
        lost = await call(client, "step", action="right", lease=lease)
        assert lost["type"] == "lease_unknown", lost


async def main(command):
    server = subprocess.Popen(
        [*command, "--port", "0", "--idle-timeout", f"{IDLE_S}s"], stdout=subprocess.PIPE, text=True
    )
    try:
        base = server.stdout.readline().split()[-1].rstrip("/")
        while not is_ready(base):
            await asyncio.sleep(0.05)
        url = base + "/mcp"
        for era in [older, newer]:
            async with asyncio.timeout(120):
                await era(url)
            print(f"ok: {era.__name__}")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
