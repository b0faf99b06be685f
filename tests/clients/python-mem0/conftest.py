"""A server, and mem0's two clients on it, made as an application makes them: only the address is ours."""

import os

# Before the package is loaded: it would report to its makers, and keeps a folder of its own.
os.environ["MEM0_TELEMETRY"] = "False"

import pytest

from harness import Recollect, Upstream


@pytest.fixture(scope="session", autouse=True)
def folder_of_the_package(tmp_path_factory):
    os.environ["MEM0_DIR"] = str(tmp_path_factory.mktemp("mem0"))


@pytest.fixture(scope="session")
def upstream():
    running = Upstream()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def server(upstream, tmp_path_factory):
    running = Recollect(tmp_path_factory.mktemp("data"), upstream)
    yield running
    running.stop()


@pytest.fixture
def own_server(upstream, tmp_path):
    """A server that no other test uses."""
    running = Recollect(tmp_path / "data", upstream)
    yield running
    running.stop()


@pytest.fixture
def client(server):
    from mem0 import MemoryClient

    return MemoryClient(api_key="m0-anything", host=server.address)


@pytest.fixture
def async_client(server):
    from mem0 import AsyncMemoryClient

    return AsyncMemoryClient(api_key="m0-anything", host=server.address)


@pytest.fixture
def user(request):
    """A user whom no other test knows."""
    return "user-of-" + request.node.name
