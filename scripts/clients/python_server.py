"""A server of the official Python MCP SDK, whichever major version is installed, for our own client to call.

    python_server.py stdio
    python_server.py http        the first line on stdout is the URL
"""

import socket
import sys

try:
    from mcp.server import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

server = Server("sums")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


if sys.argv[1] == "stdio":
    server.run("stdio")
else:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    print(f"http://127.0.0.1:{port}/mcp", flush=True)
    if hasattr(server, "settings") and hasattr(server.settings, "port"):
        server.settings.port = port
        server.run("streamable-http")
    else:
        server.run("streamable-http", port=port)
