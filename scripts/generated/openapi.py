"""Holds OpenAPI documents to a public validator, and what a host serves to the same bytes as facts.

    openapi.py FILE URL [FILE URL ...]
"""

import json
import pathlib
import sys
import urllib.request

from openapi_spec_validator import OpenAPIV31SpecValidator


def main(arguments: list[str]) -> None:
    for file, url in zip(arguments[::2], arguments[1::2], strict=True):
        document = json.loads(pathlib.Path(file).read_text())
        problems = [f"{list(error.absolute_path)}: {error.message}" for error in OpenAPIV31SpecValidator(document).iter_errors()]
        assert not problems, "\n".join([file, *problems])
        with urllib.request.urlopen(url) as served:
            assert json.load(served) == document, f"{url} is another document than {file}"
        print(f"ok: {file}, {len(document['paths'])} paths")


main(sys.argv[1:])
