"""Posts one JSON body to the model server, without a client that could mend it."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection
from typing import cast
from urllib.parse import urlsplit

from tests.support.json_shape import Json
from tests.support.model_server import ModelServer


def posted(
    server: ModelServer, path: str, body: Json, headers: Mapping[str, str]
) -> tuple[int, Json]:
    """The status and the parsed body of the answer."""
    connection = HTTPConnection(urlsplit(server.root_url).netloc)
    try:
        connection.request("POST", path, json.dumps(body).encode(), dict(headers))
        response = connection.getresponse()
        return response.status, cast("Json", json.loads(response.read()))
    finally:
        connection.close()
