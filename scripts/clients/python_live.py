"""Follows the live application `cart` with the official Python MCP SDK, whichever major version: subscribes, dispatches,
waits, reads.

    python_live.py http URL
    python_live.py stdio COMMAND [ARGUMENT ...]
"""

import asyncio
import contextlib
import json
import sys
import warnings

import mcp
from python_sdk import connect, plain

SUBSCRIBED = ["live://state", "live://state/total"]
MESSAGES = [
    {"message": "clear"},
    {"message": "add_item", "args": {"sku": "a", "unit_price": 250, "quantity": 2}},
]


async def call(client, tool, arguments):
    """The text of the result, and what stands beside it."""
    result = plain(await client.call_tool(tool, arguments))
    [content] = result["content"]
    assert not result.get("isError", False), content
    return content["text"], result.get("structuredContent")


async def state(client, tool, arguments):
    text, structured = await call(client, tool, arguments)
    assert json.loads(text) == structured, (text, structured)
    return structured


@contextlib.asynccontextmanager
async def following(client, seen, newer):
    """What has changed goes to `seen`: by a stream in the newer era, else by the handler of the session."""
    if not newer:
        for uri in SUBSCRIBED:
            with warnings.catch_warnings(action="ignore"):
                await client.subscribe_resource(uri)
        yield
        return

    async def follow(subscription):
        async for event in subscription:
            seen.put_nowait(event.uri)

    async with client.listen(resource_subscriptions=SUBSCRIBED) as subscription:
        assert sorted(subscription.honored.resource_subscriptions) == SUBSCRIBED, subscription.honored
        task = asyncio.create_task(follow(subscription))
        yield
        task.cancel()


async def check(client, other, seen, newer):
    """Messages come from `other`, which over HTTP is another client."""
    async with following(client, seen, newer):
        before = (await state(client, "snapshot", {}))["version"]
        arguments = {"version": before + 1, "timeoutMs": 20_000}
        waiting = asyncio.create_task(state(client, "wait_version", arguments))
        done, beside = await call(other, "dispatch", {"messages": MESSAGES})
        assert done.endswith(": subtotal=500, discount=0, total=500") and beside is None, (done, beside)
        assert (await waiting)["version"] > before
        changed = set()
        while len(changed) < len(SUBSCRIBED):
            changed.add(await seen.get())
        assert sorted(changed) == SUBSCRIBED, changed
        [read] = plain(await client.read_resource(SUBSCRIBED[1]))["contents"]
        assert json.loads(read["text"])["value"] == 500, read
    result = plain(await client.call_tool("dispatch", {"message": "no_such", "args": {}}))
    assert result["isError"] and "no_such" in result["content"][0]["text"], result


async def main(where):
    # Version 2 speaks both protocol eras, and so does the server.
    for mode in ["legacy", "auto"] if hasattr(mcp, "Client") else [None]:
        seen = asyncio.Queue()

        async def handler(message):
            message = getattr(message, "root", message)
            if getattr(message, "method", None) == "notifications/resources/updated":
                seen.put_nowait(str(message.params.uri))

        async with asyncio.timeout(120), contextlib.AsyncExitStack() as open_:
            client = await open_.enter_async_context(connect(where, mode, message_handler=handler))
            http = where[0] == "http"
            other = await open_.enter_async_context(connect(where, mode)) if http else client
            await check(client, other, seen, mode == "auto")
        print(f"ok: a live application, {where[0]}, {mode or 'initialize'}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
