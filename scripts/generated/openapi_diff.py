"""Changes a contract as people do, and holds our verdict to that of oasdiff on the OpenAPI documents of both.

    openapi_diff.py CLI OASDIFF CONTRACT FOLDER

Each edit is one that both tools judge: whether callers break. What only one of them knows (defaults, hints, sessions) is no
case here.
"""

from __future__ import annotations

import copy
import json
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

Node = dict[str, Any]


def node(contract: Any, name: str) -> Node:
    return next(node for node in contract["contract"]["nodes"] if node["name"] == name)


def edit(name: str, side: str, act: Callable[[Node], object]) -> Callable[[Any], object]:
    return lambda contract: act(node(contract, name)[f"{side}_schema"])


def set_at(*path: str) -> Callable[[Any], Callable[[Node], None]]:
    def with_value(value: Any) -> Callable[[Node], None]:
        def act(schema: Node) -> None:
            for key in path[:-1]:
                schema = schema[key]
            schema[path[-1]] = value

        return act

    return with_value


def also_required(name: str) -> Callable[[Node], None]:
    return lambda schema: schema["required"].append(name)


def no_longer_required(name: str) -> Callable[[Node], None]:
    return lambda schema: schema["required"].remove(name)


def both(*acts: Callable[[Node], object]) -> Callable[[Node], None]:
    def act(schema: Node) -> None:
        for one in acts:
            one(schema)

    return act


def gone(contract: Any) -> None:
    contract["contract"]["nodes"].remove(node(contract, "palette"))


def added(contract: Any) -> None:
    more = copy.deepcopy(node(contract, "palette"))
    more.update(name="palette_again", full_name="vision__palette_again")
    contract["contract"]["nodes"].append(more)


TEXT = {"type": "string"}
POLARITY = ("$defs", "Polarity", "enum")

# The edit, and whether it breaks.
CASES: dict[str, tuple[Callable[[Any], object], bool]] = {
    "nothing": (lambda contract: None, False),
    "a node goes": (gone, True),
    "a node comes": (added, False),
    "an argument comes": (edit("segment", "input", set_at("properties", "note")(TEXT)), False),
    "an argument comes that is required": (
        edit("segment", "input", both(set_at("properties", "note")(TEXT), also_required("note"))),
        True,
    ),
    "an argument becomes required": (edit("segment", "input", also_required("max_objects")), True),
    "an argument need not be given any more": (edit("segment", "input", no_longer_required("image")), False),
    "an argument gets another type": (edit("segment", "input", set_at("properties", "max_objects")(TEXT)), True),
    "an upper bound comes down": (edit("segment", "input", set_at("properties", "max_objects", "maximum")(500)), True),
    "an upper bound goes up": (edit("segment", "input", set_at("properties", "max_objects", "maximum")(2000)), False),
    "a lower bound goes up": (edit("segment", "input", set_at("properties", "max_objects", "minimum")(2)), True),
    "an option goes": (edit("segment", "input", set_at(*POLARITY)(["auto", "bright"])), True),
    "an option comes": (edit("segment", "input", set_at(*POLARITY)(["auto", "bright", "dark", "odd"])), False),
    "an output comes": (
        edit("segment", "output", both(set_at("properties", "count")({"type": "integer"}), also_required("count"))),
        False,
    ),
    "an output goes": (
        edit("segment", "output", lambda schema: (schema["properties"].pop("objects"), schema["required"].remove("objects"))),
        True,
    ),
    "an output may be missing": (edit("segment", "output", no_longer_required("objects")), True),
    "an output is never missing any more": (edit("segment", "output", both()), False),
    "an output gets another type": (edit("describe", "output", set_at("properties", "width")(TEXT)), True),
    "a field of an output gets another type": (
        edit("segment", "output", set_at("$defs", "Object", "properties", "area")(TEXT)),
        True,
    ),
    "words change": (edit("segment", "input", set_at("properties", "image", "description")("Another.")), False),
}


def run(arguments: list[str]) -> Any:
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return json.loads(done.stdout or "[]")


def main(cli: str, oasdiff: str, contract_file: str, folder_name: str) -> None:
    folder = pathlib.Path(folder_name)
    folder.mkdir(exist_ok=True)
    old = json.loads(pathlib.Path(contract_file).read_text())
    wrong = []
    for name, (act, breaks) in CASES.items():
        new = copy.deepcopy(old)
        act(new)
        files = []
        for which, document in (("old", old), ("new", new)):
            contract, openapi = folder / f"{which}.json", folder / f"{which}.openapi.json"
            contract.write_text(json.dumps(document))
            subprocess.run([cli, "generate", "openapi", contract, "--output", openapi], check=True, capture_output=True)
            files.append((str(contract), str(openapi)))
        (old_contract, old_openapi), (new_contract, new_openapi) = files
        ours = run([cli, "diff", old_contract, new_contract, "--json"])["worst"] == "breaking"
        theirs = run([oasdiff, "breaking", old_openapi, new_openapi, "--format", "json"])
        levels = {change["id"]: change["level"] for change in theirs or []}
        # 3 is an error, 2 a warning.
        if (ours, 3 in levels.values()) != (breaks, breaks):
            wrong.append(f"{name}: breaks {breaks}, by us {ours}, by oasdiff {levels}")
    assert not wrong, "\n".join(wrong)
    print(f"ok: {len(CASES)} edits are judged as oasdiff judges them")


main(*sys.argv[1:])
