"""What several tests need."""

from __future__ import annotations

import pytest

from tests.tuning.cluster import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster
