"""The values of a graph framework in both regimes, written from `wire.md` 4 alone."""

import base64
import io
import math
import struct

import msgpack
import numpy
import PIL.Image


def pack(value):
    """A picture or an array as ext 1: tag, length of the description, description, the values in C order."""
    if isinstance(value, numpy.ndarray):
        meta = msgpack.packb({"dtype": str(value.dtype), "shape": list(value.shape)})
        return msgpack.ExtType(1, struct.pack(">BI", 0, len(meta)) + meta + value.tobytes())
    raise TypeError(type(value))


def unpack(code, data):
    assert code == 1, code
    _, length = struct.unpack_from(">BI", data)
    meta = msgpack.unpackb(data[5 : 5 + length])
    # Writable, as nodes of the framework expect.
    return numpy.frombuffer(data[5 + length :], dtype=meta["dtype"]).reshape(meta["shape"]).copy()


def to_json(value):
    """Pictures go as base64 PNG, other arrays as markers."""
    if isinstance(value, numpy.ndarray) and value.dtype == numpy.uint8 and value.ndim == 3:
        encoded = io.BytesIO()
        PIL.Image.fromarray(value).save(encoded, "PNG")
        return base64.b64encode(encoded.getvalue()).decode()
    if isinstance(value, numpy.ndarray):
        data = base64.b64encode(value.tobytes()).decode()
        return {"__ndarray__": data, "dtype": str(value.dtype), "shape": list(value.shape)}
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    return value


def from_json(value, wire_type="ANY"):
    if isinstance(value, dict) and "__ndarray__" in value:
        raw = base64.b64decode(value["__ndarray__"])
        return numpy.frombuffer(raw, dtype=value["dtype"]).reshape(value["shape"]).copy()
    if isinstance(value, dict):
        return {key: from_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if wire_type == "IMAGE" and value is not None:
        return numpy.asarray(PIL.Image.open(io.BytesIO(base64.b64decode(value))))
    return value


def same(one, other):
    if isinstance(one, numpy.ndarray) or isinstance(other, numpy.ndarray):
        return numpy.array_equal(numpy.asarray(one), numpy.asarray(other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12) or one == other
    return one == other
