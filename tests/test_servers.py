"""The servers that other tests rely on are real, and leave nothing behind."""

import signal
import subprocess
import sys

from redis.crc import key_slot

from tests.servers import ValkeyCluster, ValkeyServer, free_ports, is_running, short_directory, wait_until


def test_a_server_answers_on_its_socket(valkey: ValkeyServer) -> None:
    with valkey.client(decode_responses=True) as client:
        client.set("test_servers", "carved")
        assert client.get("test_servers") == "carved"


def test_a_server_answers_on_a_port_too_if_given_one() -> None:
    with short_directory() as directory:
        server = ValkeyServer(directory, port=free_ports(1)[0])
        server.start()
        try:
            with server.client() as client:
                assert client.info("server")["tcp_port"] == server.port
        finally:
            server.stop()


def test_what_an_append_only_server_acknowledged_survives_kill_9() -> None:
    with short_directory() as directory:
        server = ValkeyServer(directory, appendonly="always")
        server.start()
        try:
            with server.client() as client:
                client.set("move", "kept")
            server.kill9()
            server.start()
            with server.client() as client:
                assert client.get("move") == b"kept"
        finally:
            server.stop()


def test_a_cluster_spreads_its_keys_over_its_nodes(valkey_cluster: ValkeyCluster) -> None:
    with valkey_cluster.client(decode_responses=True) as client:
        owners = {client.get_node_from_key(f"{{{p:02}}}:x").port for p in range(16)}
        for p in range(16):
            client.set(f"{{{p:02}}}:x", p)
            assert client.get(f"{{{p:02}}}:x") == str(p)
    assert owners == {node.port for node in valkey_cluster.nodes}
    assert key_slot(b"{07}:a") == key_slot(b"{07}:b")


def test_a_server_ends_with_the_process_that_started_it() -> None:
    with short_directory() as directory:
        script = (
            "import sys, time; from pathlib import Path; from tests.servers import ValkeyServer\n"
            f"server = ValkeyServer(Path({str(directory)!r})); server.start(); print(server.pid, flush=True)\n"
            "time.sleep(60)"
        )
        starter = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        with starter:
            assert starter.stdout
            pid = int(starter.stdout.readline())
            assert is_running(pid)
            starter.send_signal(signal.SIGKILL)
        wait_until(lambda: not is_running(pid), "the server to end")
