"""One scripted model and one server for all tests of a run; each test speaks as a user of its own."""

import pytest

from harness import Recollect, Upstream


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
def user(request):
    """A user whom no other test knows."""
    return "user-of-" + request.node.name
