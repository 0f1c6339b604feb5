"""Runs a command in a network with two routers: SILENT-ROUTER COMMAND …

Run this program in its own network, mount and process namespaces. Each router and the servers have their own
network namespaces. From 192.0.2.2 and 2001:db8:1::2, the path leads over the routers 192.0.2.1
(2001:db8:1::1) and 198.51.100.2 (2001:db8:2::2) to two resolvers:
- far: 203.0.113.53 (2001:db8:3::53); answers no queries while the working folder contains a file `silent`
- other: 203.0.113.54 (2001:db8:3::54)

Both answer over UDP at port 53, with the NSID `ams1`. Both accept TCP connections at port 853, and send
nothing over them. With SILENT-ROUTER 1, the second router drops packets without an ICMP error.
"""

import os
import select
import socket
import subprocess
import sys
import time

FAR, OTHER = ("203.0.113.53", "2001:db8:3::53"), ("203.0.113.54", "2001:db8:3::54")
NSID = b"ams1"


def run(command, place=None):
    inside = ["nsenter", "-t", str(place.pid), "-n"] if place else []
    subprocess.run(inside + command.split(), check=True)


def write(name, value, place):
    script = f"echo {value} > /proc/sys/net/{name}"
    subprocess.run(["nsenter", "-t", str(place.pid), "-n", "sh", "-c", script], check=True)


def network(command):
    """Starts a process in its own network namespace. Returns after it has entered the namespace."""
    own = os.readlink("/proc/self/ns/net")
    process = subprocess.Popen(["unshare", "--net"] + command)
    while os.readlink(f"/proc/{process.pid}/ns/net") == own:
        time.sleep(0.005)
    run("ip link set lo up", process)
    return process


def link(left, names, right):
    """Connects two networks by a pair of devices. `left` is None for the network of this process."""
    near, far = names
    run(f"ip link add {near} type veth peer name {far} netns {right.pid}", left)


def address(device, v4, v6, place):
    run(f"ip address add {v4} dev {device}", place)
    run(f"ip -6 address add {v6} dev {device} nodad", place)
    run(f"ip link set {device} up", place)


def route(v4, v6, place):
    """Adds routes over IPv4 and IPv6. Each argument is a pair of a network and its next router."""
    for version, (to, via) in (("-4", v4), ("-6", v6)):
        run(f"ip {version} route add {to} via {via}", place)


def configure(server, silent):
    first, second = network(["sleep", "infinity"]), network(["sleep", "infinity"])
    link(None, ("own0", "near0"), first)
    link(first, ("far0", "near0"), second)
    link(second, ("far0", "near0"), server)
    address("own0", "192.0.2.2/24", "2001:db8:1::2/64", None)
    address("near0", "192.0.2.1/24", "2001:db8:1::1/64", first)
    address("far0", "198.51.100.1/24", "2001:db8:2::1/64", first)
    address("near0", "198.51.100.2/24", "2001:db8:2::2/64", second)
    address("far0", "203.0.113.1/24", "2001:db8:3::1/64", second)
    for v4, v6 in (FAR, OTHER):
        address("near0", f"{v4}/24", f"{v6}/64", server)
    for router in (first, second):
        write("ipv4/ip_forward", 1, router)
        write("ipv6/conf/all/forwarding", 1, router)
    route(("default", "192.0.2.1"), ("default", "2001:db8:1::1"), None)
    route(("default", "198.51.100.2"), ("default", "2001:db8:2::2"), first)
    route(("192.0.2.0/24", "198.51.100.1"), ("2001:db8:1::/64", "2001:db8:2::1"), second)
    route(("default", "203.0.113.1"), ("default", "2001:db8:3::1"), server)
    if silent:
        for version in ("-4", "-6"):
            run(f"ip {version} rule add iif lo blackhole", second)
    # The loopback device of the command's network.
    run("ip link set lo up")


def answer(query):
    """Returns an answer with one address. It contains the NSID if the query has an OPT record."""
    end = query.index(b"\0", 12) + 5
    record = b"\xc0\x0c\0\1\0\1\0\0\1\x2c\0\4\xc0\0\2\7"
    reply = query[:2] + b"\x81\x80\0\1\0\1\0\0\0"
    if query[11:12] != b"\1":
        return reply + b"\0" + query[12:end] + record
    option = b"\0\3\0" + bytes([len(NSID)]) + NSID
    opt = b"\0\0\x29\4\xd0\0\0\0\0\0" + bytes([len(option)]) + option
    return reply + b"\1" + query[12:end] + record + opt


def reach(host):
    """Queries `host` until it answers. The hosts must first discover their neighbours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.settimeout(0.05)
        for _ in range(400):
            asking.sendto(b"\0\1\1\0\0\1\0\0\0\0\0\0\0\0\1\0\1", (host, 53))
            try:
                return asking.recv(2048)
            except TimeoutError:
                pass
    raise TimeoutError(host)


def serve():
    """Runs the resolvers in their own network namespace. Prints a line when they listen."""
    sockets = {}
    connections = []
    sys.stdin.readline()
    for far, pair in ((True, FAR), (False, OTHER)):
        for host in pair:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = socket.socket(family, socket.SOCK_DGRAM)
            listener.bind((host, 53))
            sockets[listener] = far
            stream = socket.socket(family, socket.SOCK_STREAM)
            stream.bind((host, 853))
            stream.listen()
            sockets[stream] = None
    print("listening", flush=True)
    while True:
        for source in select.select(list(sockets), [], [])[0]:
            if sockets[source] is None:
                connections.append(source.accept())
                continue
            query, client = source.recvfrom(2048)
            if not (sockets[source] and os.path.exists("silent")):
                source.sendto(answer(query), client)


if sys.argv[1:] == ["--serve"]:
    serve()
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
own = os.readlink("/proc/self/ns/net")
server = subprocess.Popen(["unshare", "--net", sys.executable, __file__, "--serve"], **pipes)
while os.readlink(f"/proc/{server.pid}/ns/net") == own:
    time.sleep(0.005)
run("ip link set lo up", server)
configure(server, sys.argv[1] == "1")
server.stdin.write("\n")
server.stdin.flush()
server.stdout.readline()
for host in OTHER:
    reach(host)
sys.exit(subprocess.run(sys.argv[2:]).returncode)
