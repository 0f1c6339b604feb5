"""Uses the dashboard at an address in Chromium and prints what it found there, as JSON.

    dashboard.py ADDRESS FOLDER    FOLDER gets screenshots; rounds must be arriving meanwhile
"""
import json
import os
import sys

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from look import FORMS, requests, screenshot, start

PATIENCE = 90
WIDTHS = """
return {
  page: document.documentElement.scrollWidth,
  window: document.documentElement.clientWidth,
  ground: getComputedStyle(document.body).backgroundColor
};
"""
ROWS = """
return Array.from(document.querySelector("table.sortable").tBodies[0].rows, function (row) {
  return Array.from(row.cells, function (cell) { return cell.textContent; });
});
"""


class Dashboard:
    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    def open(self, path):
        self.browser.get(self.address + path)
        self.wait(lambda _: self.text("#live").startswith("Refreshes automatically"))

    def wait(self, condition):
        return WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(condition)

    def steady(self, action):
        """What `action` gives, once no new round replaces the page meanwhile."""
        while True:
            try:
                return action()
            except StaleElementReferenceException:
                pass

    def click(self, selector):
        self.steady(lambda: self.browser.find_element(By.CSS_SELECTOR, selector).click())

    def text(self, selector):
        return self.steady(lambda: self.browser.find_element(By.CSS_SELECTOR, selector).text)

    def texts(self, selector):
        return self.steady(
            lambda: [one.text for one in self.browser.find_elements(By.CSS_SELECTOR, selector)])

    def rows(self):
        return self.browser.execute_script(ROWS)

    def form(self, width, is_phone, scheme):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": is_phone})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def pictures(self, folder):
        """Every page in every form: how wide it is, and a picture of it."""
        found = {}
        for name, width, is_phone, scheme in FORMS:
            self.form(width, is_phone, scheme)
            for page, path in PAGES.items():
                self.open(path)
                found[f"{page}-{name}"] = self.browser.execute_script(WIDTHS)
                screenshot(self.browser, os.path.join(folder, f"{page}-{name}.png"))
        self.form(1200, False, "light")
        return found

    def choose_window(self):
        """Clicks through the windows; what each says of itself."""
        found = []
        for title in ["hour", "month"]:
            self.browser.find_element(By.LINK_TEXT, title).click()
            self.wait(lambda _: title in self.texts("nav [aria-current]"))
            found.append([self.browser.current_url, self.text("#resolvers .caption, caption")])
        return found

    def sort(self):
        """The rows as they come, and after one and two clicks on the name."""
        orders = [self.rows()]
        for _ in range(2):
            self.click("thead button")
            orders.append(self.rows())
        return orders

    def see_round(self):
        """A new round on a page that is sorted; the page is not loaded again."""
        self.browser.execute_script("window.mark = 'still here'")
        before = self.rows()
        self.wait(lambda _: self.rows()[0][4] != before[0][4])
        return {
            "before": before, "after": self.rows(), "live": self.text("#live"),
            "mark": self.browser.execute_script("return window.mark"),
            "sorted": self.browser.find_element(By.CSS_SELECTOR, "thead th")
            .get_attribute("aria-sort"),
        }

    def compare(self, candidate):
        """Chooses two resolvers in the lists; the answer."""
        self.browser.find_element(By.LINK_TEXT, "Compare").click()
        self.wait(lambda _: self.texts("#pair"))
        Select(self.browser.find_element(By.ID, "candidate")).select_by_visible_text(candidate)
        self.click("#pair button")
        self.wait(lambda _: "candidate=" in self.browser.current_url)
        return {
            "address": self.browser.current_url, "headline": self.text("h1"),
            "resolvers": [text.splitlines()[0] for text in self.texts("tbody th")],
            "sections": self.texts("section h2"),
        }

    def resolver(self):
        """Follows the first name of the table."""
        self.open("/")
        name = self.text("tbody th a")
        self.browser.find_element(By.LINK_TEXT, name).click()
        self.wait(lambda _: self.texts("#heatmap"))
        return {
            "name": name, "headline": self.text("h1"), "sections": self.texts("section h2"),
            "charts": len(self.browser.find_elements(By.CSS_SELECTOR, "figure svg")),
        }


PAGES = {"overview": "/", "resolver": "/resolver?label=meadow", "compare": "/compare?window=24h"}


def main(address, folder):
    browser = start()
    dashboard = Dashboard(browser, address.rstrip("/"))
    found = {}
    try:
        found["pictures"] = dashboard.pictures(folder)
        dashboard.open("/")
        found["headline"] = dashboard.text("h1")
        found["cards"] = dashboard.texts(".card h2")
        found["windows"] = dashboard.choose_window()
        dashboard.open("/")
        found["orders"] = dashboard.sort()
        found["round"] = dashboard.see_round()
        found["resolver"] = dashboard.resolver()
        found["comparison"] = dashboard.compare("meadow")
        found["requests"] = requests(browser)
        found["console"] = [entry["message"] for entry in browser.get_log("browser")]
        found["taken"] = browser.execute_script("return 'taken' in window")
    finally:
        browser.quit()
    json.dump(found, sys.stdout)


main(sys.argv[1], sys.argv[2])
