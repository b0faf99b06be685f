"""A server for these tests; the tests themselves are those of the newer version."""

import pytest

from harness import Recollect, Upstream


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    upstream = Upstream()
    running = Recollect(tmp_path_factory.mktemp("data"), upstream)
    yield running
    running.stop()
    upstream.stop()


@pytest.fixture
def user(request):
    """A user whom no other test knows."""
    return "user-of-" + request.node.name
