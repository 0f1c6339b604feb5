"""Opens a page of the file system in Chromium and prints the findings as JSON.

    look.py PAGE FOLDER           saves a screenshot of each form and the printed page in FOLDER
    look.py PAGE FOLDER HEADER    also sorts the table by the column HEADER
"""
import base64
import json
import os
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from accessibility import emulate, violations

FORMS = [
    (name + "-" + scheme, width, name == "phone", scheme)
    for name, width in [("desktop", 1200), ("phone", 390)]
    for scheme in ["light", "dark"]
]
FACTS = """
var style = getComputedStyle(document.body);
var table = document.querySelector("table.sortable");
var column = Array.from(table ? table.tHead.rows[0].cells : [], function (cell) {
  return cell.textContent.trim();
}).indexOf("failed");
var loss = column < 0 ? null : table.tBodies[0].rows[0].cells[column].getBoundingClientRect();
return {
  loss: loss && [loss.right, loss.bottom],
  title: document.title,
  headline: document.querySelector("h1").textContent,
  text: document.body.innerText,
  pageWidth: document.documentElement.scrollWidth,
  windowWidth: document.documentElement.clientWidth,
  ground: style.backgroundColor,
  ink: style.color,
  charts: Array.from(document.querySelectorAll("figure svg"))
    .filter(function (svg) { return svg.getBoundingClientRect().width > 0; })
    .map(function (svg) {
      var ground = svg.querySelector(".ground");
      return [svg.getBoundingClientRect().width, getComputedStyle(ground).fill];
    }),
  scripts: document.querySelectorAll("script").length,
  buttons: document.querySelectorAll("thead button").length,
  handlers: Array.from(document.querySelectorAll("*")).filter(function (element) {
    return element.getAttributeNames().some(function (name) { return name.startsWith("on"); });
  }).length,
  moving: document.getAnimations().length,
  taken: "taken" in window
};
"""
COLUMN = """
var table = document.querySelector("table.sortable");
return Array.from(table.tBodies[0].rows, function (row) {
  return row.cells[arguments_0].firstChild.textContent;
});
"""


def start():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update",
                     "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(
        os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")))


def requests(browser):
    """Returns the addresses that the page requested."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return sorted({message["params"]["request"]["url"] for message in messages
                   if message["method"] == "Network.requestWillBeSent"})


def write(path, data):
    with open(path, "wb") as file:
        file.write(base64.b64decode(data))


def screenshot(browser, path):
    size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
    shot = browser.execute_cdp_cmd(
        "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    write(path, shot["data"])


def sorting(browser, header):
    """Returns the cells below `header` in the original order, and after one and two clicks on it."""
    heads = browser.find_elements(By.CSS_SELECTOR, "table.sortable thead th")
    index = [head.text.strip() for head in heads].index(header)
    script = COLUMN.replace("arguments_0", str(index))
    orders = [browser.execute_script(script)]
    for _ in range(2):
        heads[index].find_element(By.TAG_NAME, "button").click()
        orders.append(browser.execute_script(script))
    return {"orders": orders, "state": heads[index].get_attribute("aria-sort")}


def main(page, folder, header):
    address = "file://" + os.path.abspath(page)
    browser = start()
    found = {"address": address, "forms": {}, "violations": []}
    try:
        for name, width, is_phone, scheme in FORMS:
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": is_phone})
            emulate(browser, scheme)
            browser.get(address)
            found["forms"][name] = browser.execute_script(FACTS)
            screenshot(browser, os.path.join(folder, name + ".png"))
            found["violations"] += [f"{name}: {one}" for one in violations(browser, scheme)]
        if header:
            found["sorting"] = sorting(browser, header)
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        browser.get(address)
        found["scriptless"] = browser.execute_script(FACTS)
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        browser.get(address)
        printed = browser.execute_cdp_cmd("Page.printToPDF", {
            "preferCSSPageSize": True, "paperWidth": 8.27, "paperHeight": 11.69,
            "printBackground": True})
        write(os.path.join(folder, "page.pdf"), printed["data"])
        found["requests"] = requests(browser)
        found["console"] = [entry["message"] for entry in browser.get_log("browser")]
    finally:
        browser.quit()
    # A no-break space joins a number and its unit. It is replaced by a space.
    sys.stdout.write(json.dumps(found, ensure_ascii=False).replace("\u00a0", " "))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
