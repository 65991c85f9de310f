"""A store given by URL is used if it is fit, or refused with what to change."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from services.core.settings import CannotStart
from services.host.external_store import check_external_store, refuse_if_old
from tests.servers import ValkeyCluster, ValkeyServer, free_ports


@contextmanager
def evicting(server: ValkeyServer) -> Iterator[None]:
    with server.client() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            yield
        finally:
            client.config_set("maxmemory-policy", "noeviction")


def test_a_valkey_that_keeps_all_keys_is_fit(valkey: ValkeyServer) -> None:
    assert check_external_store(valkey.url, None).startswith("Valkey 9.")


def test_a_store_that_may_evict_keys_is_refused_with_what_to_set(valkey: ValkeyServer) -> None:
    with evicting(valkey), pytest.raises(CannotStart, match="set its maxmemory-policy to noeviction"):
        check_external_store(valkey.url, None)


def test_a_cluster_is_fit_if_the_queue_has_a_redis_of_its_own(
    valkey_cluster: ValkeyCluster, valkey: ValkeyServer
) -> None:
    with pytest.raises(CannotStart, match="set STELE_QUEUE_URL"):
        check_external_store(valkey_cluster.url, None)
    assert check_external_store(valkey_cluster.url, valkey.url).endswith("a cluster of 3 nodes")


def test_a_cluster_of_which_one_node_evicts_is_refused(
    valkey_cluster: ValkeyCluster, valkey: ValkeyServer
) -> None:
    with evicting(valkey_cluster.nodes[2]), pytest.raises(CannotStart, match="noeviction"):
        check_external_store(valkey_cluster.url, valkey.url)


def test_a_store_that_is_away_is_refused_without_telling_its_password() -> None:
    url = f"redis://me:tell-nobody@127.0.0.1:{free_ports(1)[0]}"
    with pytest.raises(CannotStart, match=r"^The store at redis://…@127.* cannot be reached") as refused:
        check_external_store(url, None)
    assert "tell-nobody" not in str(refused.value)


def test_any_of_several_addresses_is_enough(valkey_cluster: ValkeyCluster, valkey: ValkeyServer) -> None:
    nobody = f"redis://127.0.0.1:{free_ports(1)[0]}"
    assert check_external_store(f"{nobody},{valkey_cluster.url}", valkey.url).endswith("a cluster of 3 nodes")


def test_a_redis_before_7_is_refused() -> None:
    with pytest.raises(CannotStart, match=r"is Redis 6\.2\.14: Stele needs Redis 7"):
        refuse_if_old({"redis_version": "6.2.14"}, "redis://old")
    refuse_if_old({"redis_version": "7.0.0"}, "redis://new")
    refuse_if_old({"redis_version": "10.0.0"}, "redis://newest")
