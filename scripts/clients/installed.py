"""Compares what `codegen-cli install` wrote for a client with what the client's own `mcp add` wrote.

    installed.py OURS THEIRS NAME
"""

import json
import pathlib
import sys
import tomllib


def server(file, name):
    text = pathlib.Path(file).read_text()
    if file.endswith(".toml"):
        return tomllib.loads(text)["mcp_servers"][name]
    return json.loads(text)["mcpServers"][name]


ours, theirs = (server(file, sys.argv[3]) for file in sys.argv[1:3])
assert ours == theirs, f"ours   {ours}\ntheirs {theirs}"
print(f"ok: {sys.argv[3]} as the client itself writes it")
