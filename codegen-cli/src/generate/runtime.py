class NodeError(Exception):
    """A call that did not succeed."""

    def __init__(self, answer: dict[str, Any], status: int) -> None:
        super().__init__(answer.get("detail", "the call failed"))
        #: The kind, such as ``unknown_field`` or one that the node declares.
        self.type: str = answer.get("type", "protocol")
        #: Where it arose, such as ``schema_validation`` or ``adapter_execution``.
        self.stage: str | None = answer.get("stage")
        #: Whether the same call may succeed later.
        self.retryable: bool = answer.get("retryable") is True
        #: The place in the arguments that it is about.
        self.pointer: str | None = answer.get("pointer")
        #: The status of HTTP.
        self.status: int = status


class Client:
    """A connection to a host.

    ``base`` is the address that the host prints, such as ``http://127.0.0.1:9200``.
    """

    def __init__(
        self, base: str, *, token: str | None = None, lease: str | None = None, timeout: float | None = None
    ) -> None:
        self._base = base.rstrip("/")
        self._timeout = timeout
        self._headers = {"content-type": "application/json"}
        if token is not None:
            self._headers["authorization"] = f"Bearer {token}"
        if lease is not None:
            self._headers["nodecast-lease"] = lease

    def _call(self, name: str, inputs: dict[str, Any], config: dict[str, Any]) -> Any:
        body = {
            "inputs": {key: _encoded(value) for key, value in inputs.items() if value is not _LEFT_OUT},
            "config": {key: _encoded(value) for key, value in config.items() if value is not _LEFT_OUT},
        }
        url = f"{self._base}/call/{urllib.parse.quote(name, safe='')}"
        request = urllib.request.Request(url, json.dumps(body).encode(), self._headers)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                answer = json.loads(text)
            except ValueError:
                answer = None
            if not isinstance(answer, dict):
                answer = {"detail": text[:200] or str(error.reason)}
            raise _ERRORS.get(answer.get("type", ""), NodeError)(answer, error.code) from None


class _LeftOut:
    def __repr__(self) -> str:
        return "left out"


_LEFT_OUT: Any = _LeftOut()
_ERRORS: dict[str, type[NodeError]] = {}


def _encoded(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(value).decode()
    if isinstance(value, (list, tuple)):
        return [_encoded(item) for item in value]
    if isinstance(value, dict):
        return {key: _encoded(item) for key, item in value.items()}
    if type(value).__module__ == "numpy":
        numpy: Any = importlib.import_module("numpy")
        array = numpy.asarray(value)
        if array.ndim == 0:
            return array.item()
        data = base64.b64encode(array.astype(array.dtype.newbyteorder("<")).tobytes()).decode()
        return {"__ndarray__": data, "dtype": array.dtype.name, "shape": list(array.shape)}
    return value


def _array(marker: Any) -> Any:
    numpy: Any = importlib.import_module("numpy")
    data = base64.b64decode(marker["__ndarray__"])
    return numpy.ndarray(tuple(marker["shape"]), numpy.dtype(marker["dtype"]).newbyteorder("<"), data).copy()
