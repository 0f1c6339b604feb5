"""Checks pages against the rules of axe-core, which cover WCAG 2.1, levels A and AA, and for what they leave out:
the values of each chart are on the page as text or in a table, and the focus is visible and follows the text.
"""
from importlib.resources import files

AXE = (files("axe_core_python") / "axe.min.js").read_text()
RUN = """
var done = arguments[arguments.length - 1];
axe.run(document, arguments[0]).then(function (found) {
  done([found.passes.length, found.violations.map(function (rule) {
    return rule.id + ": " + rule.nodes[0].html.slice(0, 200);
  })]);
});
"""
# Readers who ask for more contrast get the contrast of level AAA.
ENHANCED = {"runOnly": {"type": "rule", "values": ["color-contrast-enhanced"]},
            "rules": {"color-contrast-enhanced": {"enabled": True}}}

OWN = """
var found = [];
function isVisible(element) {
  return element.checkVisibility() && element.getBoundingClientRect().width > 0;
}
Array.from(document.querySelectorAll("figure svg")).filter(isVisible).forEach(function (chart) {
  var name = chart.getAttribute("aria-label") || (chart.querySelector("title") || {}).textContent;
  if (chart.getAttribute("role") !== "img" || !name) {
    found.push("chart-name: " + chart.outerHTML.slice(0, 200));
  }
  var place = chart.closest("section, main, body");
  while (place && !place.querySelector("table tbody tr, .readout")) place = place.parentElement;
  if (!place) found.push("chart-values: " + name);
});
var focused = Array.from(document.querySelectorAll(
  "a[href], button, input, select, textarea, summary, [tabindex]")).filter(function (element) {
  return isVisible(element) && element.tabIndex >= 0 && !element.disabled;
});
focused.forEach(function (element) {
  element.focus({focusVisible: true, preventScroll: true});
  var style = getComputedStyle(element);
  if (document.activeElement !== element || element.tabIndex > 0) {
    found.push("focus-order: " + element.outerHTML.slice(0, 200));
  } else if (style.outlineStyle === "none" && style.boxShadow === "none") {
    found.push("focus-visible: " + element.outerHTML.slice(0, 200));
  }
  element.blur();
});
return found;
"""


def emulate(browser, scheme, contrast="no-preference"):
    """Sets the colour scheme and the contrast that the reader prefers."""
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-contrast", "value": contrast}]})


def violations(browser, scheme):
    """Returns the broken rules of the open page in a colour scheme, each with its first element."""
    browser.execute_script(AXE)
    passed, found = browser.execute_async_script(RUN, {})
    if passed < 10:
        raise RuntimeError(f"axe-core checked {passed} rules only")
    found += browser.execute_script(OWN)
    emulate(browser, scheme, "more")
    found += browser.execute_async_script(RUN, ENHANCED)[1]
    emulate(browser, scheme)
    return found
