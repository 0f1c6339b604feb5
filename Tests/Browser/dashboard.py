"""Operates the dashboard at ADDRESS in Chromium and prints the findings as JSON.

    dashboard.py ADDRESS FOLDER    saves screenshots in FOLDER; requires new rounds during the test
    dashboard.py ADDRESS           reads the hourly chart of many resolvers, and selects one of them
"""
import json
import os
import sys

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from accessibility import emulate, violations
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
        self.violations = []

    def open(self, path):
        self.browser.get(self.address + path)
        self.wait(lambda _: self.text("#live").startswith("Refreshes automatically"))

    def wait(self, condition):
        return WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(condition)

    def steady(self, action):
        """Returns the result of `action` from an attempt in which no new round replaced the page."""
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
        emulate(self.browser, scheme)

    def pictures(self, folder):
        """Saves a picture of every page in every form, and returns the widths and the background."""
        found = {}
        for name, width, is_phone, scheme in FORMS:
            self.form(width, is_phone, scheme)
            for page, path in PAGES.items():
                self.open(path)
                found[f"{page}-{name}"] = self.browser.execute_script(WIDTHS)
                screenshot(self.browser, os.path.join(folder, f"{page}-{name}.png"))
                self.violations += [f"{page}-{name}: {one}" for one in violations(self.browser, scheme)]
        self.form(1200, False, "light")
        return found

    def choose_window(self):
        """Clicks through the windows, and returns the description of each."""
        found = []
        for title in ["hour", "month"]:
            self.browser.find_element(By.LINK_TEXT, title).click()
            self.wait(lambda _: title in self.texts("nav [aria-current]"))
            found.append([self.browser.current_url, self.text("#resolvers .caption, caption")])
        return found

    def sort(self):
        """Returns the rows in their original order, and after one and two clicks on the name."""
        orders = [self.rows()]
        for _ in range(2):
            self.click("thead button")
            orders.append(self.rows())
        return orders

    def see_round(self):
        """Waits for a new round on a sorted page. The page must not be loaded again."""
        self.browser.execute_script("window.mark = 'still here'")
        before = self.rows()
        self.wait(lambda _: self.rows()[0][4] != before[0][4])
        return {
            "before": before, "after": self.rows(), "live": self.text("#live"),
            "mark": self.browser.execute_script("return window.mark"),
            # One script, because the next round may replace the table at any time.
            "sorted": self.browser.execute_script(
                "return document.querySelector('table.sortable thead th')"
                ".getAttribute('aria-sort')"
            ),
        }

    def compare(self, candidate):
        """Selects two resolvers in the lists, and returns the answer."""
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

    def readings(self):
        """Returns the values of the last hour, of other hours by keys, and under the pointer."""
        self.open("/")
        readout = self.browser.find_element(By.CSS_SELECTOR, ".readout")
        found = [readout.text]
        for key in [Keys.ARROW_LEFT, Keys.HOME, Keys.ARROW_RIGHT, Keys.END]:
            readout.send_keys(key)
            found.append(readout.text)
        plot = self.browser.find_element(By.CSS_SELECTOR, "#trend .wide .plot")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", plot)
        ActionChains(self.browser).move_to_element(plot).perform()
        found.append(readout.text)
        return {
            "texts": found, "said": readout.get_attribute("aria-valuetext"),
            "cursors": len(self.browser.find_elements(By.CSS_SELECTOR, "#trend .wide .cursor")),
        }

    def menu(self, text):
        """Returns the links of the open menu, the links with `text`, and the target of the first."""
        self.click(".menu summary")
        links = [self.texts(".menu li")]
        self.browser.find_element(By.CSS_SELECTOR, ".menu input").send_keys(text)
        links.append([label for label in self.texts(".menu li") if label])
        self.browser.find_element(By.LINK_TEXT, links[1][0]).click()
        self.wait(lambda _: "label=" in self.browser.current_url)
        return {"links": links, "here": self.text(".menu summary")}

    def resolver(self):
        """Follows the link of the first name in the table, and describes the resolver's page."""
        self.open("/")
        name = self.text("tbody th a")
        self.browser.find_element(By.LINK_TEXT, name).click()
        self.wait(lambda _: self.texts("#heatmap"))
        return {
            "name": name, "headline": self.text("h1"), "sections": self.texts("section h2"),
            "charts": len(self.browser.find_elements(By.CSS_SELECTOR, "figure svg")),
        }


PAGES = {"overview": "/", "resolver": "/resolver?label=meadow", "compare": "/compare?window=24h"}


def read(address):
    browser = start()
    dashboard = Dashboard(browser, address.rstrip("/"))
    try:
        dashboard.form(1200, False, "light")
        found = {"readings": dashboard.readings(), "menu": dashboard.menu("r-7")}
        found["console"] = [entry["message"] for entry in browser.get_log("browser")]
    finally:
        browser.quit()
    json.dump(found, sys.stdout)


def main(address, folder):
    browser = start()
    dashboard = Dashboard(browser, address.rstrip("/"))
    found = {}
    try:
        found["pictures"] = dashboard.pictures(folder)
        found["violations"] = dashboard.violations
        dashboard.open("/")
        found["headline"] = dashboard.text("h1")
        found["periods"] = dashboard.texts("#current tbody th")
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


(main if len(sys.argv) > 2 else read)(*sys.argv[1:])
