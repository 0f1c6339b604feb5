"""Checks pages against the rules of axe-core, which cover WCAG 2.1, levels A and AA."""
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
    emulate(browser, scheme, "more")
    found += browser.execute_async_script(RUN, ENHANCED)[1]
    emulate(browser, scheme)
    return found
