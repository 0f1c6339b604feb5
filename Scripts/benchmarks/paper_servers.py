"""Runs the servers for the tables of papers: other projects' servers, each with the features of its row."""

import contextlib
import tempfile

from benchmarks.encrypted_servers import ENCRYPTED, aioquic, certificate, services
from benchmarks.processes import background
from benchmarks.servers import UNBOUND, dnsdist, free_port, server, wait_until_listening

# unbound answers all transports over TCP, and HTTP/2 without TLS for Caddy. With few free connections, it
# would end idle ones early.
NAMES = """
server:
incoming-num-tcp: 200
local-zone: "{name}." redirect
local-data: "{name}. 300 IN A 192.0.2.1"
"""
UNENCRYPTED = """
server:
interface: {address}@{https}
https-port: {https}
http-notls-downstream: yes
"""
FRONT = """
addDOHLocal("{address}:{https}")
addTLSLocal("{address}:{tls}", "{certificate}", "{key}")
addTLSLocal("{address}:{tls_long}", "{long_certificate}", "{long_key}")
"""
# nginx accepts early data (RFC 8446 §2.3).
NGINX = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
  client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
  uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
  access_log off;
  server {{
    listen {address}:{port} ssl http2;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_early_data on;
    location / {{ proxy_pass http://{address}:{backend}; proxy_http_version 1.1; }}
  }}
}}
"""
# HAProxy accepts early data over TLS. Its second listener keeps sessions at the server, and a client sends
# 32 bytes as the name of one. Its third listener acknowledges a query with the answer.
HAPROXY = """
global
  nbthread 1
defaults
  mode tcp
  timeout connect 2s
  timeout client 10s
  timeout server 10s
listen early
  bind {address}:{port} ssl crt {folder}/both.pem alpn dot allow-0rtt
  server one {address}:{backend}
listen named
  bind {address}:{tls_named} ssl crt {folder}/both.pem alpn dot no-tls-tickets
  server one {address}:{backend}
listen plain
  bind {address}:{tcp_late}
  option tcp-smart-accept
  server one {address}:{backend}
"""
CADDY = """
{{
  "admin": {{"disabled": true, "config": {{"persist": false}}}},
  "storage": {{"module": "file_system", "root": "{folder}/storage"}},
  "apps": {{
    "tls": {{"certificates": {{"load_files": [{{"certificate": "{certificate}", "key": "{key}"}}]}}}},
    "http": {{"servers": {{"dns": {{
      "listen": ["{address}:{port}"],
      "automatic_https": {{"disable": true}},
      "tls_connection_policies": [{{}}],
      "routes": [{{"handle": [{{
        "handler": "reverse_proxy",
        "transport": {{"protocol": "http", "versions": ["h2c"]}},
        "upstreams": [{{"dial": "{address}:{backend}"}}]
      }}]}}]
    }}}}}}
  }}
}}
"""
# As long as google.com, which Kosek et al. queried.
NAME = "paper.test"
# A chain of more than 3 × 1,200 bytes exceeds what a QUIC server may send before it knows the client's
# address (RFC 9000 §8.1).
LONG_NAMES = 200


@contextlib.contextmanager
def paper_servers(host):
    """Yields the service of each row by its name, and the file with all trusted certificates."""
    with contextlib.ExitStack() as stack:
        proof = stack.enter_context(certificate(host))
        long_proof = stack.enter_context(certificate(host, more_names=LONG_NAMES))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        authority = f"{folder}/authorities.pem"
        _join(authority, proof.path, long_proof.path)
        _join(f"{folder}/both.pem", proof.path, proof.key)
        facts = {"address": host.address, "name": NAME, "network": host.network, "folder": folder}
        facts |= {"certificate": proof.path, "key": proof.key}
        facts |= {"long_certificate": long_proof.path, "long_key": long_proof.key}

        def resolver(settings, **more):
            text = lambda port: (UNBOUND + NAMES + settings).format(port=port, **facts, **more)
            return stack.enter_context(server(host, ["unbound", "-c"], text))

        def web(command, name, text, backend):
            return stack.enter_context(_web(host, command, f"{folder}/{name}", text, facts, backend))

        def quic(protocol, mode, proof=proof):
            return stack.enter_context(aioquic(host, proof, protocol, mode))

        tls, https, plain, forwarding, other_tls, tls_long = (free_port() for _ in range(6))
        facts |= {"tls_named": free_port(), "tcp_late": free_port()}
        udp = resolver(ENCRYPTED, tls=tls, https=https)
        resolver(UNENCRYPTED, https=plain)
        settings = FRONT.format(https=forwarding, tls=other_tls, tls_long=tls_long, **facts)
        stack.enter_context(dnsdist(settings, host, udp))
        nginx = web(["nginx", "-p", folder, "-e", "stderr", "-c"], "nginx.conf", NGINX, forwarding)
        haproxy = web(["haproxy", "-db", "-f"], "haproxy.cfg", HAPROXY, udp)
        caddy = web(["caddy", "run", "--config"], "caddy.json", CADDY, plain)
        ports = {"udp": udp, "tcp": udp, "tls": other_tls, "https": https, "quic": quic("doq", "plain")}
        found = services(host, ports, proof)
        more = {
            "tls-unbound": ("tls", tls),
            "tls-early": ("tls", haproxy),
            "tls-named": ("tls", facts["tls_named"]),
            "tcp-late": ("tcp", facts["tcp_late"]),
            "tls-long": ("tls", tls_long),
            "https-early": ("https", nginx),
            "quic-resumed": ("quic", quic("doq", "cautious")),
            "quic-retry": ("quic", quic("doq", "retry")),
            "quic-long": ("quic", quic("doq", "plain", long_proof)),
            "quic-large": ("quic", quic("doq", "large", long_proof)),
            "quic-late": ("quic", quic("doq", "late")),
            "h3": ("h3", caddy),
            "unencrypted": ("https", forwarding),
            "h3-resumed": ("h3", quic("h3", "cautious")),
        }
        for name, (transport, port) in more.items():
            found[name] = services(host, {transport: port}, proof)[transport]
        yield found, authority


def _join(path, *parts):
    with open(path, "w") as file:
        for part in parts:
            with open(part) as source:
                file.write(source.read())


@contextlib.contextmanager
def _web(host, command, path, text, facts, backend):
    port = free_port()
    with open(path, "w") as file:
        file.write(text.format(port=port, backend=backend, **facts))
    with tempfile.TemporaryFile() as log, background(host.command(*command, path), log=log) as child:
        wait_until_listening(host, port, child, log)
        yield port
