"""Calls every node of the fixtures with the Python clients that ``codegen-cli generate`` made of them.

    calls.py CASES PHOTOGRAPHS KITCHEN VISION

CASES is the file that ``cargo test --workspace --test faces -- --ignored cases_for_other_clients`` writes; KITCHEN and
VISION are the addresses of two hosts. Beside this file lie the clients. ``mypy --strict`` looks at all of it.
"""

from __future__ import annotations

import json
import keyword
import pathlib
import sys
from typing import Any

import numpy

import kitchen
import pantry
import vision


class Spelled:
    """Values as the cases spell them, in the types of the language: ``@cat.jpg`` is that photograph, ``0x00`` are bytes."""

    def __init__(self, photographs: pathlib.Path) -> None:
        self.photographs = photographs

    def native(self, spelled: Any) -> Any:
        if isinstance(spelled, str) and spelled.startswith("@"):
            return (self.photographs / spelled[1:]).read_bytes()
        if isinstance(spelled, str) and spelled.startswith("0x"):
            return bytes.fromhex(spelled[2:])
        if isinstance(spelled, list):
            return [self.native(item) for item in spelled]
        if isinstance(spelled, dict) and "__ndarray__" in spelled:
            import base64

            data = base64.b64decode(spelled["__ndarray__"])
            return numpy.frombuffer(data, spelled["dtype"]).reshape(spelled["shape"])
        if isinstance(spelled, dict):
            return {key: self.native(item) for key, item in spelled.items()}
        return spelled


def same(came: Any, expected: Any) -> bool:
    if isinstance(expected, numpy.ndarray):
        return isinstance(came, numpy.ndarray) and came.dtype == expected.dtype and numpy.array_equal(came, expected)
    if isinstance(expected, dict):
        return isinstance(came, dict) and came.keys() == expected.keys() and all(same(came[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return isinstance(came, (list, tuple)) and len(came) == len(expected) and all(map(same, came, expected))
    return type(came) is type(expected) and bool(came == expected) or came == expected


def encoded(value: Any) -> list[str]:
    """Pictures that nobody decoded."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in encoded(item)]
    if isinstance(value, (list, tuple)):
        return [text for item in value for text in encoded(item)]
    return [value[:40]] if isinstance(value, str) and value.startswith("iVBORw0KGgo") else []


def error_class(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.removesuffix("_error").split("_")) + "Error"


def call(module: Any, client: Any, node: str, arguments: dict[str, Any]) -> Any:
    method = getattr(client, f"{node}_" if keyword.iskeyword(node) else node)
    return method(**{f"{name}_" if keyword.iskeyword(name) else name: value for name, value in arguments.items()})


def check(module: Any, client: Any, case: dict[str, Any], spelled: Spelled) -> None:
    tool = case["tool"]
    node = tool.split("__", 1)[1]
    arguments = spelled.native(case["spelled"]["arguments"])
    # A fire list is refused over MCP alone.
    refused = case["refused"] if case["refused"] != "fire_list" else None
    try:
        came = call(module, client, node, arguments)
    except module.NodeError as error:
        assert refused == error.type, f"{tool}: {error.type}: {error}"
        assert type(error) is getattr(module, error_class(refused), module.NodeError), f"{tool}: {type(error)}"
        return
    except TypeError as error:
        # A name that the node does not have, or one that is missing, does not get as far as the host.
        assert refused in ("unknown_field", "missing_field"), f"{tool}: {error}"
        return
    assert refused is None, f"{tool} was not refused: {came}"
    assert not encoded(came), f"{tool}: {encoded(came)}"
    if case["refused"] == "fire_list":
        assert came["__firelist__"]["specs"], came
    expected = case["spelled"]["outputs"]
    if expected is not None:
        assert same(came, spelled.native(expected)), f"{tool}: {came!r}, and not {expected!r}"


def typed(eyes: vision.Vision, cook: kitchen.Kitchen, picture: bytes) -> None:
    """What a person would write, for the type checker as much as for the run."""
    found = eyes.segment(image=picture, min_area=0.001, polarity="auto")
    overlay: bytes = found["overlay"]
    widths: list[int] = [one["box"]["width"] for one in found["objects"]]
    assert overlay.startswith(b"\x89PNG\r\n\x1a\n") and len(widths) > 10, widths
    try:
        eyes.edges(image=picture, low=300)
    except vision.ThresholdsCrossedError as error:
        stage: str | None = error.stage
        assert stage == "adapter_execution" and not error.retryable and error.status == 500, vars(error)
    else:
        raise AssertionError("the thresholds are crossed")
    doubled = cook.tensor(array=numpy.array([[1.0, -2.5]], dtype="float32"))["result"]
    assert doubled.dtype == numpy.float32 and doubled.tolist() == [[2.0, -5.0]], doubled
    assert cook.one()["result"]["scoville"] == 40000
    assert vision.Vision.CONTRACT.startswith("sha256:")


def main(cases_file: str, photographs: str, kitchen_at: str, vision_at: str) -> None:
    spelled = Spelled(pathlib.Path(photographs))
    cases = json.loads(pathlib.Path(cases_file).read_text())
    clients: dict[str, tuple[Any, Any]] = {
        "kitchen": (kitchen, kitchen.Kitchen(kitchen_at)),
        "store": (pantry, pantry.Pantry(kitchen_at)),
        "vision": (vision, vision.Vision(vision_at)),
    }
    called = set()
    for case in cases:
        prefix = case["tool"].split("__", 1)[0]
        if prefix in clients:
            check(*clients[prefix], case, spelled)
            called.add(case["tool"])
    for prefix, (module, client) in clients.items():
        methods = {name for name in vars(type(client)) if not name.startswith("_") and name != "CONTRACT"}
        missing = methods - {tool.split("__", 1)[1] for tool in called if tool.startswith(f"{prefix}__")}
        assert not missing, f"no case calls {missing}"
    typed(vision.Vision(vision_at), kitchen.Kitchen(kitchen_at), (spelled.photographs / "coins.png").read_bytes())
    print(f"ok: Python, {len(called)} nodes")


main(*sys.argv[1:])
