"""TLS and a login, as the security plugin of OpenSearch asks for them; here a proxy before a real node does."""

from __future__ import annotations

import base64
import http.client
import ssl
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
import trustme
from tests.cluster.test_opensearch_index import P, agree
from tests.unit.index.test_large import notes

from chartcite.core.errors import EndpointFailed
from chartcite.index.opensearch.cluster import Cluster
from chartcite.index.opensearch.connection import Address

if TYPE_CHECKING:
    from tests.cluster.servers.opensearch import Loopback
    from tests.conftest import MakeNote, Shelf

pytestmark = pytest.mark.cluster
USER, PASSWORD = "keeper", "a password with : and é"


@dataclass(frozen=True)
class Guarded:
    """The proxy's address, and the file with its authority."""

    url: str
    ca: str
    folder: Path


@pytest.fixture(scope="module")
def guarded(opensearch: Loopback, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    folder = tmp_path_factory.mktemp("tls")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    trustme.CA().cert_pem.write_to_path(str(folder / "other.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    server = ThreadingHTTPServer(("127.0.0.1", 0), forwarding(opensearch.urls[0]))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Guarded(f"https://localhost:{server.server_address[1]}", str(folder / "ca.pem"), folder)
    server.shutdown()
    server.server_close()


def forwarding(url: str) -> type[BaseHTTPRequestHandler]:
    """A handler that lets one user through to a node."""
    node = urlsplit(url)
    wanted = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    class Forward(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.headers.get("Authorization") != wanted:
                self.answer(401, b"{}", "application/json")
                return
            connection = http.client.HTTPConnection(node.hostname or "", node.port, timeout=60)
            kept = {
                k: v for k, v in self.headers.items() if k.lower() in {"content-type", "content-encoding", "accept"}
            }
            connection.request(self.command, self.path, body, kept)
            response = connection.getresponse()
            self.answer(response.status, response.read(), response.getheader("Content-Type", "application/json"))
            connection.close()

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_any  # noqa: N815

        def answer(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Forward


def address(guarded: Guarded, **other: str) -> Address:
    said = {"user": USER, "password": PASSWORD, "ca": guarded.ca, **other}
    return Address((guarded.url,), **said, prefix=f"t{uuid.uuid4().hex[:12]}", timeout_s=20)  # type: ignore[arg-type]


def test_everything_goes_over_tls_with_a_login(guarded: Guarded, shelf: Shelf, make_note: MakeNote) -> None:
    cluster = Cluster(address(guarded))
    shelf.put(P, *notes(make_note, 30))
    agree(shelf, cluster, P)
    cluster.remove()
    cluster.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"password": "wrong"}, "refuses"), ({"user": "", "password": ""}, "refuses"), ({"ca": "other"}, "certificate"),
        ({"ca": ""}, "certificate"),
    ],
)  # fmt: skip
def test_who_is_not_let_in_is_told_why(guarded: Guarded, change: dict[str, str], said: str) -> None:
    if change.get("ca") == "other":
        change = {"ca": str(guarded.folder / "other.pem")}
    cluster = Cluster(address(guarded, **change))
    with pytest.raises(EndpointFailed, match=said) as error:
        cluster.count()
    assert "wrong" not in repr(error.value)
    cluster.close()


def test_a_certificate_of_another_name_is_not_taken(guarded: Guarded) -> None:
    there = guarded.url.replace("localhost", "127.0.0.1")
    cluster = Cluster(Address((there,), USER, PASSWORD, guarded.ca, timeout_s=20))
    with pytest.raises(EndpointFailed, match="certificate"):
        cluster.count()
    cluster.close()


def test_a_password_is_in_no_text_of_the_address(guarded: Guarded) -> None:
    assert PASSWORD not in repr(address(guarded))
