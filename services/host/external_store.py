"""Check of an external store (STELE_STORE_URL): it is fit to keep games, or refused with what to change."""

from contextlib import suppress
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.retry import Retry

from events.store_errors import STORE_FAILED, UNAVAILABLE
from services.core.settings import CannotStart, without_password

OLDEST = 7
Info = dict[str, Any]  # what a server says of itself (INFO)


def check_external_store(url: str, queue_url: str | None) -> str:
    """What the store is, in words; refused if it is away, too old, or may throw keys away."""
    place = without_password(url)
    try:
        nodes = info_of_all(url)
    except (*STORE_FAILED, ValueError, OSError) as problem:
        raise CannotStart(f"The store at {place} (STELE_STORE_URL) cannot be reached: {problem}") from None
    if is_clustered(nodes[0]) and not queue_url:
        raise CannotStart(
            f"The store at {place} is a cluster, on which the workers' queue cannot run:"
            " set STELE_QUEUE_URL to a plain Redis or Valkey."
        )
    for node in nodes:
        refuse_if_old(node, place)
        refuse_if_evicting(node, place)
    return f"{product(nodes[0])} at {place}" + (
        f", a cluster of {len(nodes)} nodes" if len(nodes) > 1 else ""
    )


def info_of_all(urls: str) -> list[Info]:
    """What the store says of itself, by the first address that answers: each node of a cluster that can be reached."""
    url, info = first_that_answers(urls.split(","))
    if not is_clustered(info):
        return [info]
    cluster = RedisCluster.from_url(url)
    clients = [cluster.get_redis_connection(node) for node in cluster.nodes_manager.nodes_cache.values()]
    infos: list[Info] = []
    for client in clients:
        with suppress(*UNAVAILABLE):
            infos.append(client.info())
        client.connection_pool.disconnect()  # closing a cluster made from a URL leaves its connections open
    return infos or [info]


def first_that_answers(urls: list[str]) -> tuple[str, Info]:
    *others, last = urls
    for url in others:
        with suppress(*STORE_FAILED, OSError):
            return url, info_of(url)
    return last, info_of(last)


def info_of(url: str) -> Info:
    with Redis.from_url(url, socket_timeout=5, retry=Retry(NoBackoff(), 0)) as client:
        info: Info = client.info()
    return info


def is_clustered(info: Info) -> bool:
    return info.get("cluster_enabled") == 1


def product(info: Info) -> str:
    if "valkey_version" in info:
        return f"Valkey {info['valkey_version']}"
    return f"Redis {info['redis_version']}"


def refuse_if_old(info: Info, place: str) -> None:
    """Valkey began at 7 and tells a Redis version too, the one it descends from."""
    if int(str(info["redis_version"]).split(".", maxsplit=1)[0]) < OLDEST:
        raise CannotStart(
            f"The store at {place} is {product(info)}: Stele needs Redis {OLDEST} or newer, or Valkey."
        )


def refuse_if_evicting(info: Info, place: str) -> None:
    """A store that makes room by dropping keys would drop logs."""
    policy = info["maxmemory_policy"]
    if policy != "noeviction":
        raise CannotStart(
            f"The store at {place} may throw games away (its maxmemory-policy is {policy}):"
            " set its maxmemory-policy to noeviction."
        )
