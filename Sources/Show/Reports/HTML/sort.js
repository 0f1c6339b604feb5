
(function () {
  "use strict";
  var texts = new Intl.Collator("en", { numeric: true });

  // Returns the sort key of a row: a number, a text, or null for a cell without a figure.
  function key(row, column, isNumeric) {
    var cell = row.cells[column];
    if (!cell) { return null; }
    if (!isNumeric) { return cell.textContent; }
    return cell.hasAttribute("data-key") ? Number(cell.getAttribute("data-key")) : null;
  }

  function compare(left, right) {
    if (typeof left === "string") { return texts.compare(left, right); }
    return left < right ? -1 : left > right ? 1 : 0;
  }

  function sort(table, head, column) {
    var falls = head.getAttribute("aria-sort") === "ascending";
    var isNumeric = head.classList.contains("number");
    var body = table.tBodies[0];
    var rows = Array.from(body.rows, function (row) {
      return { row: row, key: key(row, column, isNumeric) };
    });
    rows.sort(function (left, right) {
      // Rows without a figure stay last in either order.
      if (left.key === null || right.key === null) {
        return (left.key === null) - (right.key === null);
      }
      return falls ? compare(right.key, left.key) : compare(left.key, right.key);
    });
    table.querySelectorAll("thead th").forEach(function (other) {
      other.removeAttribute("aria-sort");
    });
    head.setAttribute("aria-sort", falls ? "descending" : "ascending");
    body.append.apply(body, rows.map(function (entry) { return entry.row; }));
  }

  // The script adds the buttons: without scripts, the headers stay plain text.
  function prepare() {
    document.querySelectorAll("table.sortable:not([data-ready])").forEach(function (table) {
      table.setAttribute("data-ready", "");
      table.querySelectorAll("thead th").forEach(function (head, column) {
        var button = document.createElement("button");
        button.type = "button";
        button.textContent = head.textContent;
        button.addEventListener("click", function () { sort(table, head, column); });
        head.replaceChildren(button);
      });
    });
  }

  prepare();
  // A page sends this event after it replaces a table.
  document.addEventListener("tables-changed", prepare);
})();
