"""Serves a refreshing page of the dashboard to Chromium, and prints its status texts as JSON.

    live.py PAGE    PAGE is the file of a page of edition 1, rendered at 12:01, with a scrolling box
"""
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from look import start

PATIENCE = 90
# Replaces the page's timer by a timer that shortens all waits.
CLOCK = """
var wait = window.setTimeout;
window.setTimeout = function (action, time) { return wait(action, Math.min(time, 1)); };
"""
BOX = """
var box = document.querySelector("main .scroll");
return { left: box.scrollLeft, focus: document.activeElement === box };
"""


class Site(ThreadingHTTPServer):
    """Serves the page in any edition, and announces editions to its readers. The first reader is
    rejected. `told` is the edition announced to readers."""
    daemon_threads = True

    def __init__(self, page):
        super().__init__(("127.0.0.1", 0), Handler)
        self.page, self.edition, self.told, self.status = page, 1, 1, 200
        self.readers, self.change, self.refusals = [], threading.Condition(), 1
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def text(self):
        return (self.page.replace('data-edition="1"', f'data-edition="{self.edition}"')
                .replace('data-moment="12:01"', f'data-moment="12:0{self.edition}"')).encode()

    def tell(self, edition):
        with self.change:
            self.told = edition
            for reader in self.readers:
                reader.write(event(edition))

    def wait_for_readers(self, count):
        with self.change:
            return self.change.wait_for(lambda: len(self.readers) == count, PATIENCE)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/events":
            return self.follow()
        text = self.server.text() if self.path == "/" else b""
        self.send_response(self.server.status if text else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def follow(self):
        self.close_connection = True
        with self.server.change:
            is_refused = self.server.refusals > 0
            self.server.refusals -= is_refused
        if is_refused:
            self.send_response(503)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        with self.server.change:
            self.wfile.write(event(self.server.told))
            self.server.readers.append(self.wfile)
            self.server.change.notify_all()
        # Waits until the browser closes the connection.
        try:
            self.rfile.read(1)
        except OSError:
            pass
        with self.server.change:
            self.server.readers.remove(self.wfile)
            self.server.change.notify_all()

    def log_message(self, *_):
        pass


def event(edition):
    return f"event: edition\ndata: {edition}\n\n".encode()


def main(path):
    with open(path, encoding="utf-8") as file:
        site = Site(file.read())
    browser = start()
    browser.set_page_load_timeout(PATIENCE)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCK})

    def said(beginning):
        """Waits until the status text of the page starts with `beginning`, and returns the text."""
        def text(_):
            words = browser.find_element(By.ID, "live").text
            return words.startswith(beginning) and words
        return WebDriverWait(browser, PATIENCE, poll_frequency=0.05).until(text)

    found = {"tabs": []}
    first = browser.current_window_handle
    try:
        for number in range(8):
            if number > 0:
                browser.switch_to.new_window("tab")
            browser.get(site.address)
            found["tabs"].append(said("Refreshes automatically"))
        found["follows"] = site.wait_for_readers(1)

        # The page missed an edition that is not announced, as after a restart of the dashboard.
        site.edition = 2
        browser.switch_to.window(first)
        browser.execute_cdp_cmd("Page.bringToFront", {})
        found["shown"] = said("Refreshes automatically; last at 12:02")
        found["followsAgain"] = site.wait_for_readers(1)

        site.status = 503
        site.tell(3)
        found["failed"] = said("The last refresh failed.")
        site.status = 200

        browser.execute_script("""
            var box = document.querySelector("main .scroll");
            box.focus();
            box.scrollLeft = 40;
        """)
        found["before"] = browser.execute_script(BOX)
        site.edition = 3
        site.tell(3)
        said("Refreshes automatically; last at 12:03")
        found["after"] = browser.execute_script(BOX)
    finally:
        browser.quit()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
