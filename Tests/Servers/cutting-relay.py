"""A relay from 127.0.0.1:PORT to 127.0.0.1:TARGET: PORT TARGET STEP.

The first connection is cut once STEP octets came back, the second once two times as many did, and
so on: what was asked for has arrived, and its answer is lost.
"""

import socket
import sys
import threading

port, target, step = map(int, sys.argv[1:4])


def pass_on(source, sink, most=None):
    passed = 0
    try:
        while octets := source.recv(4096):
            if most is not None:
                octets = octets[: most - passed]
                passed += len(octets)
            sink.sendall(octets)
            if passed == most:
                break
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    listener = socket.create_server(("127.0.0.1", port))
    number = 0
    while True:
        client, _ = listener.accept()
        server = socket.create_connection(("127.0.0.1", target))
        # Whoever only looks whether anybody listens is no connection.
        client.settimeout(None)
        first = client.recv(4096)
        if not first:
            client.close()
            server.close()
            continue
        number += 1
        server.sendall(first)
        threading.Thread(target=pass_on, args=(client, server), daemon=True).start()
        back = (server, client, step * number)
        threading.Thread(target=pass_on, args=back, daemon=True).start()


main()
