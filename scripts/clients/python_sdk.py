"""Lists and calls the nodeset `vision` with the official Python MCP SDK, whichever major version is installed.

    python_sdk.py http URL
    python_sdk.py stdio COMMAND [ARGUMENT ...]
"""

import asyncio
import base64
import contextlib
import json
import os
import pathlib
import struct
import sys

import mcp

PHOTOGRAPHS = pathlib.Path(__file__).parents[2] / "fixtures/vision/photographs"
COINS = PHOTOGRAPHS / "coins.png"
NODES = ["annotate", "compare", "contact_sheet", "describe", "edges", "palette", "resize", "segment"]
TOOLS = [f"vision__{node}" for node in NODES]


@contextlib.asynccontextmanager
async def connect(where, mode, **options):
    """A session with the server; `mode` is the protocol era, which version 1 of the SDK does not know."""
    if where[0] == "stdio":
        target = mcp.StdioServerParameters(command=where[1], args=where[2:], env=dict(os.environ))
    else:
        target = where[1]
    if mode is not None:
        async with mcp.Client(target, mode=mode, **options) as client:
            yield client
        return
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    transport = streamable_http_client(target) if isinstance(target, str) else stdio_client(target)
    async with transport as streams, mcp.ClientSession(*streams[:2], **options) as session:
        await session.initialize()
        yield session


def plain(result):
    """The result as it was on the wire; the two versions name its members differently."""
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


async def call(client, tool, arguments):
    result = plain(await client.call_tool(tool, arguments))
    return result.get("isError", False), result["content"], result.get("structuredContent")


async def check(client):
    tools = {tool["name"]: tool for tool in plain(await client.list_tools())["tools"]}
    assert sorted(tools) == TOOLS, sorted(tools)
    assert tools["vision__describe"]["annotations"]["readOnlyHint"] is True
    picture = base64.b64encode(COINS.read_bytes()).decode()

    failed, content, structured = await call(client, "vision__describe", {"image": picture})
    assert not failed, content
    assert (structured["width"], structured["height"]) == (384, 303), structured
    assert json.loads(content[0]["text"]) == structured

    failed, content, _ = await call(client, "vision__segment", {"image": picture, "min_area": 0.002})
    assert not failed, content
    kinds = [block["type"] for block in content]
    assert sorted(kinds) == ["image", "text"], kinds
    image, text = content[kinds.index("image")], content[kinds.index("text")]
    assert base64.b64decode(image["data"]).startswith(b"\x89PNG"), image["data"][:20]
    assert len(json.loads(text["text"])["objects"]) == 24, text["text"][:200]

    objects = [{"box": found["box"], "label": "coin"} for found in json.loads(text["text"])["objects"]]
    failed, content, _ = await call(client, "vision__annotate", {"image": picture, "boxes": objects})
    assert not failed and [block["type"] for block in content] == ["image"], content
    encoded = [base64.b64encode(path.read_bytes()).decode() for path in sorted(PHOTOGRAPHS.glob("*.*g"))]
    assert len(encoded) == 4
    failed, content, _ = await call(client, "vision__contact_sheet", {"images": encoded, "cell": 64, "gap": 2})
    assert not failed, content
    image = next(block for block in content if block["type"] == "image")
    # Width and height stand in the first chunk of a PNG file.
    assert struct.unpack(">II", base64.b64decode(image["data"])[16:24]) == (4 * 64 + 5 * 2, 64 + 2 * 2)

    failed, content, _ = await call(client, "vision__segment", {"image": picture, "min_aera": 0.1})
    assert failed and "min_area" in content[0]["text"], content
    failed, content, _ = await call(client, "vision__edges", {"image": picture, "low": 300, "high": 100})
    assert failed and "thresholds_crossed" in content[0]["text"], content


async def main(where):
    # Version 2 speaks both protocol eras, and so does the server.
    for mode in ["legacy", "auto"] if hasattr(mcp, "Client") else [None]:
        async with asyncio.timeout(120):
            async with connect(where, mode) as client:
                await check(client)
        print(f"ok: {where[0]}, {mode or 'initialize'}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
