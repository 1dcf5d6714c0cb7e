"""Calls `vision` through `/call` in msgpack, with arrays as pictures, and compares the answers with those over MCP.

    msgpack_call.py URL
"""

import asyncio
import base64
import io
import json
import math
import struct
import sys
import urllib.request

import mcp
import msgpack
import numpy
import PIL.Image

from python_sdk import COINS, call


def pack_array(array):
    """An array as msgpack ext 1: tag, length of the description, description, the values in C order."""
    meta = msgpack.packb({"dtype": str(array.dtype), "shape": list(array.shape)})
    return msgpack.ExtType(1, struct.pack(">BI", 0, len(meta)) + meta + array.tobytes())


def unpack_array(code, data):
    assert code == 1, code
    tag, length = struct.unpack_from(">BI", data)
    assert tag == 0, tag
    meta = msgpack.unpackb(data[5 : 5 + length])
    return numpy.frombuffer(data[5 + length :], dtype=meta["dtype"]).reshape(meta["shape"])


def call_msgpack(base, function, inputs, config):
    body = msgpack.packb({"inputs": inputs, "config": config}, default=pack_array)
    request = urllib.request.Request(
        f"{base}/call/{function}", data=body, headers={"Content-Type": "application/msgpack"}
    )
    with urllib.request.urlopen(request, timeout=120) as reply:
        assert reply.headers["Content-Type"].startswith("application/msgpack"), reply.headers["Content-Type"]
        return msgpack.unpackb(reply.read(), ext_hook=unpack_array)["outputs"]


def decode(encoded):
    return numpy.asarray(PIL.Image.open(io.BytesIO(encoded)))


async def main(base):
    encoded = COINS.read_bytes()
    text, array = base64.b64encode(encoded).decode(), decode(encoded)

    async with mcp.Client(f"{base}/mcp") as client:
        _, _, over_mcp = await call(client, "vision__describe", {"image": text, "colors": 3})
        over_call = call_msgpack(base, "vision__describe", {"image": array}, {"colors": 3})
        assert over_call == over_mcp, (over_call, over_mcp)

        _, content, _ = await call(client, "vision__segment", {"image": text})
        blocks = {block["type"]: block for block in content}
        over_call = call_msgpack(base, "vision__segment", {"image": array}, {})
        assert over_call["objects"] == json.loads(blocks["text"]["text"])["objects"]
        assert len(over_call["objects"]) == 24
        overlay = decode(base64.b64decode(blocks["image"]["data"]))
        assert (over_call["overlay"] == overlay).all() and overlay.shape == (303, 384, 3), overlay.shape

    # The comparison, worked out once more by numpy.
    mirrored = numpy.ascontiguousarray(array[:, ::-1])
    over_call = call_msgpack(base, "vision__compare", {"before": array, "after": mirrored}, {})
    apart = numpy.abs(array.astype(float) - mirrored)
    assert (over_call["difference"] == apart).all()
    assert math.isclose(over_call["psnr"], 10 * math.log10(255**2 / (apart**2).mean()), rel_tol=1e-9), over_call["psnr"]
    assert math.isclose(over_call["changed"], (apart > 24).mean(), rel_tol=1e-9), over_call["changed"]
    print("ok: msgpack and MCP agree")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
