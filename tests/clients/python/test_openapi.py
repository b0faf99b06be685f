"""Every operation that the server describes, called with what its description allows and with what it does not.

No answer may be a failure of the server's, and every answer must be what the description says of it. The examples are the
same in every run.
"""

import hypothesis
import pytest
import schemathesis
from schemathesis import checks as _loaded  # noqa: F401
from schemathesis.specs.openapi import checks

from harness import FOLDER, Recollect

EXAMPLES = 25

# A description cannot say everything that makes a request sensible: that one of two fields is wanted, or that a bound is
# in bytes. So a request that it allows may be refused, with a reason, and one that it does not know may be taken.
# Seconds that an answer may take.
LONG_WORK = 120

# What works through everything that is stored. It is called on a server of its own, where nobody has left ten thousand
# messages: a debug binary takes a minute for them.
OVER_EVERYTHING = ["/api/memory/relearn"]

NOT_SAID = [checks.positive_data_acceptance, checks.negative_data_rejection]


def server(upstream, folder):
    """A server of its own: what is tried out here is not for the eyes of the other tests."""
    running = Recollect(folder, upstream)
    remembered = {"content": "Ada deploys on Fridays.", "key": "deploys", "tags": ["work"]}
    assert running.call("POST", "/api/memory", remembered)[0] == 201
    said = {"conversation_id": "talk", "messages": [{"role": "user", "content": "I moved to Lisbon last month."}]}
    assert running.call("POST", "/memory/ingest", said)[0] == 200
    return running


@pytest.fixture(scope="module")
def described(upstream, tmp_path_factory):
    running = server(upstream, tmp_path_factory.mktemp("described"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def small(upstream, tmp_path_factory):
    running = server(upstream, tmp_path_factory.mktemp("small"))
    yield running
    running.stop()


# What a chat answers is its upstream's, in its upstream's words.
schema = schemathesis.openapi.from_path(FOLDER.parent.parent / "docs/reference/openapi.json").exclude(tag="chat")


def test_the_description_is_the_checked_in_one(described):
    status, served = described.call("GET", "/openapi.json")
    assert (status, served) == (200, schema.raw_schema)


@schema.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_every_operation_answers_as_described(case, described, small):
    called = small if case.path in OVER_EVERYTHING else described
    case.call_and_validate(base_url=called.address, excluded_checks=NOT_SAID, timeout=LONG_WORK)
