"""A graph framework's client of a node server, written from `wire.md` alone: it hosts `interop`, `vision` and `gridworld`
as a framework does, and drives every route of them in both regimes, with and without `--reference`.

    framework.py COMMAND [ARGUMENT ...]

COMMAND serves a crate whose name follows it, such as `codegen-cli serve -p`.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import msgpack
import numpy
import PIL.Image

from regimes import from_json, pack, same, to_json, unpack

COINS = pathlib.Path(__file__).parents[2] / "fixtures/vision/photographs/coins.png"
MSGPACK = "application/msgpack"


# What the framework builds by exact keyword: one key more or less, and the server is refused.


@dataclasses.dataclass
class ConfigField:
    name: str
    field_type: str
    label: str
    default: object
    min: float | None
    max: float | None
    step: float | None
    options: list | None
    placeholder: str
    show_persist_toggle: bool
    section: str
    on_card: bool
    unset_label: str


@dataclasses.dataclass
class DisplayField:
    name: str
    display_type: str
    label: str
    data_key: str
    max_visible: int
    accumulate: bool


class Refused(Exception):
    def __init__(self, response):
        super().__init__(f"{response.status_code}: {response.content[:300]!r}")
        self.response = response
        self.status = response.status_code

    def body(self):
        if self.response.headers["content-type"].startswith(MSGPACK):
            return msgpack.unpackb(self.response.content)
        return self.response.json()


class NodeServer:
    """A hosted server, as the framework's proxy nodes see it: one connection a call, no redirects, status lines alone."""

    def __init__(self, base):
        self.base = base
        self.manifest = self.get("/manifest")
        assert self.manifest["version"] == "1.0" and isinstance(self.manifest["name"], str)
        self.functions = {}
        for function in self.manifest["functions"]:
            ui = function["ui_config"]
            [ConfigField(**field) for field in ui["config_fields"]]
            [DisplayField(**field) for field in ui["display_fields"]]
            for port in function["input_ports"] + function["output_ports"]:
                assert isinstance(port["name"], str) and isinstance(port["wire_type"], str), port
            assert function["name"].split("__", 1)[1], function["name"]
            self.functions[function["name"]] = function

    def answer(self, response):
        if not response.is_success:
            assert not response.is_redirect, response.headers
            raise Refused(response)
        assert response.status_code == 200, response.status_code
        if response.headers["content-type"].startswith(MSGPACK):
            return msgpack.unpackb(response.content, ext_hook=unpack, strict_map_key=False)
        return response.json()

    def get(self, path):
        return self.answer(httpx.get(self.base + path, timeout=10))

    def post(self, path, body, regime="json", headers=None):
        if regime == "json":
            content, media = json.dumps(to_json(body)), "application/json"
        else:
            content, media = msgpack.packb(body, default=pack), MSGPACK
        response = httpx.post(self.base + path, content=content, headers={"content-type": media} | (headers or {}), timeout=120)
        return self.answer(response)

    def call(self, function, inputs, config=None, regime="msgpack", execution=None):
        """The outputs that are there; what a node leaves out is absent."""
        # Absent inputs are left out, since the framework has no null.
        body = {"inputs": {port: value for port, value in inputs.items() if value is not None}}
        if config is not None:
            body["config"] = config
        if execution is not None:
            body["_exec"] = execution
        reply = self.post(f"/call/{function}", body, regime)
        assert isinstance(reply, dict) and isinstance(reply["outputs"], dict), reply
        ports = {port["name"]: port["wire_type"] for port in self.functions[function]["output_ports"]}
        assert list(reply["outputs"]) == list(ports), reply["outputs"].keys()
        outputs = reply["outputs"]
        if regime == "json":
            outputs = {port: from_json(value, ports[port]) for port, value in outputs.items()}
        return {port: value for port, value in outputs.items() if value is not None}

    def both(self, function, inputs, config=None):
        """The same call in both regimes, which must say the same."""
        in_msgpack, in_json = (self.call(function, inputs, config, regime) for regime in ("msgpack", "json"))
        assert same(in_msgpack, in_json), (function, in_msgpack, in_json)
        return in_msgpack


class Executor:
    """The framework's own side: it takes events, and keeps containers that it lends to calls."""

    def __init__(self):
        self.events, self.kept = [], {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.path == "/api/internal/events":
                    outer.events.extend(json.loads(body)["events"])
                    self.reply(b"{}", "application/json")
                    return
                _, _, _, _, execution, container, verb = self.path.split("/")
                body = msgpack.unpackb(body)
                assert body["execution_id"] == execution, body
                if verb == "write":
                    outer.kept[container, body["name"]] = body["data"]
                    self.reply(msgpack.packb({"ok": True}), MSGPACK)
                else:
                    self.reply(msgpack.packb({"value": outer.kept.get((container, body["name"]))}), MSGPACK)

            def reply(self, body, media):
                self.send_response(200)
                self.send_header("content-type", media)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def wait_for(self, code):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            found = [event for event in self.events if event["code"] == code]
            if found:
                return found[0]
            time.sleep(0.05)
        raise AssertionError(f"no event {code} among {self.events}")


@contextlib.contextmanager
def hosted(command, crate, nodeset, *flags, env=None):
    """Starts a host on a free port, waits as the framework does, and stops it within its five seconds."""
    process = subprocess.Popen(
        [*command, crate, "--nodeset", nodeset, "--port", "0", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | (env or {}),
    )
    try:
        base = process.stdout.readline().strip().removeprefix("listening on ")
        assert base.startswith("http://127.0.0.1:"), base
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(base + "/health", timeout=5).status_code == 200:
                    break
            assert time.monotonic() < deadline, "not ready"
            time.sleep(0.05)
        # The host is the one that clients call by its name.
        yield NodeServer(base.replace("127.0.0.1", "localhost"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=5) == 0, process.returncode
    finally:
        process.kill()
        process.wait()


def refused(status, action):
    try:
        action()
    except Refused as error:
        assert error.status == status, error
        return error.body()
    raise AssertionError("it was not refused")


def interop(command, flags):
    reference = "--reference" in flags
    for nodeset in ("dummy", "dummy_env", "dummy_optout"):
        with hosted(command, "interop", nodeset, *flags) as server:
            assert list(server.functions) == ["dummy__echo", "dummy__frame"]
            assert server.both("dummy__echo", {"text": "hi", "count": 2}, {"sep": "+"}) == {"echo": "hi+hi"}
            assert server.both("dummy__echo", {"text": "hi", "count": None}) == {"echo": "hi"}
            # What an editor sends for a field that is not set.
            assert server.both("dummy__echo", {"text": "a", "count": 2}, {"sep": None}) == {"echo": "a-a"}
            frame = server.both("dummy__frame", {"trigger": True})
            assert frame["note"] == "ok" and frame["rgb"].shape == (2, 2, 3) and not frame["rgb"].any()
            frame["rgb"][0, 0] = 7
            flat = server.post("/call/dummy__echo", {"text": "flat"})
            assert flat["outputs"] == {"echo": "flat"}
            for regime in ("json", "msgpack"):
                said = refused(422, lambda: server.post("/call/dummy__echo", {"inputs": {}}, regime))
                assert list(said) == ["detail"] if reference else said["pointer"] == "/inputs/text", said
                refused(404, lambda: server.post("/call/dummy__nothing", {}, regime))
                refused(400, lambda: server.post("/call/dummy__echo", [], regime))
            stray = {"inputs": {"text": "a", "stray": 1}}
            if reference:
                assert server.post("/call/dummy__echo", stray)["outputs"] == {"echo": "a"}
            else:
                assert refused(422, lambda: server.post("/call/dummy__echo", stray))["pointer"] == "/inputs/stray"
            assert ("nodecast" in server.manifest) != reference
            exclusive(server, nodeset == "dummy_env")

    with hosted(command, "interop", "echo", *flags) as server:
        array = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
        for value in (1, -1.5, "ü", True, [1, [2, {"a": None}]], {}, array, array[:0], numpy.float64(3.5).reshape(())):
            assert same(server.both("echo__id", {"x": value}), {"y": value}), value
        for value in (b"\x00\xff", {5: "int key"}, 2**64 - 1, float("inf")):
            assert server.call("echo__id", {"x": value}) == {"y": value}, value
        depth = 1
        nested = []
        while depth < 100:
            nested, depth = [nested], depth + 1
        assert server.both("echo__id", {"x": nested}) == {"y": nested}

    with hosted(command, "interop", "owner", *flags) as server:
        assert server.manifest["functions"] == [] and server.manifest["containers"][0]["id"] == "c1"
        voxels = numpy.arange(8, dtype=numpy.uint8).reshape(2, 2, 2)
        for regime in ("msgpack", "json"):
            write = {"name": "voxels", "data": {"grid": voxels.astype("int16"), "seen": [1, 2]}, "execution_id": "e"}
            assert server.post("/containers/c1/write", write, regime) == {"ok": True}
            for other in ("msgpack", "json"):
                read = server.post("/containers/c1/read", {"name": "voxels"}, other)
                assert same(from_json(read["value"]), write["data"]), read
            keyed = {"name": "voxels", "data": regime, "key": "k"}
            assert server.post("/containers/c1/write", keyed, regime) == {"ok": True}
            assert server.post("/containers/c1/read", {"name": "voxels", "key": "k"}, regime) == {"value": regime}
            assert server.post("/containers/c1/evict", {"key": "k"}, regime) == {"ok": True}
            assert server.post("/containers/c1/read", {"name": "voxels", "key": "k"}, regime) == {"value": None}
            refused(404, lambda: server.post("/containers/c2/read", {"name": "voxels"}, regime))
            refused(404, lambda: server.post("/containers/c1/read", {"name": "pixels"}, regime))
            refused(400, lambda: server.post("/containers/c1/evict", {}, regime))
        # Without a content type it is msgpack, which is what the framework's client relies on.
        response = httpx.post(server.base + "/containers/c1/read", content=msgpack.packb({"name": "voxels"}))
        assert response.headers["content-type"] == MSGPACK and response.status_code == 200
        server.post("/containers/c1/write", {"name": "voxels", "data": 1, "key": "k"})
        assert server.post("/containers/evict", {"key": "k"}) == {"evicted": 1, "key": "k"}
        assert server.post("/containers/signal", {"signal": "episode"})["ok"] is True

    executor = Executor()
    with hosted(command, "interop", "dummy", *flags, "--executor-url", executor.url) as server:
        with contextlib.suppress(Refused):
            server.call("dummy__echo", {}, execution={"execution_id": "run-1", "grants": []})
        failed = executor.wait_for("SUBPROC_NODE_FAIL")
        assert failed["node_id"] == "dummy__echo" and failed["execution_id"] == "run-1", failed
        assert failed["details"]["stage"] == "schema_validation" and failed["nodeset"] == "dummy", failed
        granted = {"execution_id": "run-1", "grants": ["c9"]}
        assert server.call("dummy__echo", {"text": "a"}, execution=granted) == {"echo": "a"}
    with hosted(command, "interop", "dummy", *flags) as server:
        refused(500, lambda: server.call("dummy__echo", {"text": "a"}, execution=granted))


def exclusive(server, held):
    """One client at a time over MCP, and anybody over `/call`."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "framework", "version": "1"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    headers = {"accept": "application/json, text/event-stream"}
    post = lambda: httpx.post(server.base + "/mcp", json=message, headers=headers, timeout=10)
    first, second = post(), post()
    assert first.status_code == 200, first.content
    assert (second.status_code == 409) == held, second.content
    assert (b"mcp_exclusive" in second.content) == held, second.content
    if held:
        session = {"mcp-session-id": first.headers["mcp-session-id"]}
        assert httpx.delete(server.base + "/mcp", headers=session).status_code < 300


def vision(command, flags):
    picture = numpy.asarray(PIL.Image.open(COINS).convert("RGB"))
    with hosted(command, "vision", "vision", *flags) as server:
        described = server.both("vision__describe", {"image": picture}, {"colors": 3})
        assert (described["width"], described["height"], len(described["palette"])) == (384, 303, 3), described
        segmented = server.both("vision__segment", {"image": picture})
        assert len(segmented["objects"]) == 24 and segmented["overlay"].shape == picture.shape
        boxes = [{"box": {"x": 4, "y": 4, "width": 20, "height": 10}, "label": "a coin"}]
        annotated = server.both("vision__annotate", {"image": picture, "boxes": boxes})["result"]
        assert annotated.shape == picture.shape and (annotated != picture).any()
        sheet = server.both("vision__contact_sheet", {"images": [picture, picture[:, ::-1].copy()]}, {"columns": 2})
        assert sheet["sheet"].ndim == 3 and len(sheet["places"]) == 2
        for function in ("edges", "palette", "resize"):
            server.both(f"vision__{function}", {"image": picture})
        same_picture = server.both("vision__compare", {"before": picture, "after": picture})
        # None is no output: two pictures that are one have no finite ratio.
        assert same_picture["changed"] == 0 and not same_picture["difference"].any(), same_picture
        grey = numpy.zeros((8, 10), numpy.uint8)
        assert server.call("vision__describe", {"image": grey})["width"] == 10
        refused(422, lambda: server.call("vision__describe", {"image": numpy.zeros((8, 10), numpy.float32)}))


def gridworld(command, flags):
    with hosted(command, "gridworld", "gridworld", *flags) as server:
        world = server.call("gridworld__reset", {"seed": 7}, {"rooms": 4}, "json")
        assert same(world, server.call("gridworld__reset", {"seed": 7}, {"rooms": 4}, "msgpack"))
        seen = server.both("gridworld__observe", {})
        assert seen["map"] == world["map"] and seen["picture"].ndim == 3
        for regime in ("json", "msgpack"):
            stepped = server.call("gridworld__step", {"action": "right"}, {"times": 1}, regime)
            assert {"position", "reward", "bumped", "done", "steps"} <= stepped.keys(), stepped
        refused(422, lambda: server.call("gridworld__step", {"action": "sideways"}))
        exclusive(server, True)


def main(command):
    for flags in ([], ["--reference"]):
        for check in (interop, vision, gridworld):
            check(command, flags)
            print(f"ok: {check.__name__} {' '.join(flags)}")


if __name__ == "__main__":
    main(sys.argv[1:])
