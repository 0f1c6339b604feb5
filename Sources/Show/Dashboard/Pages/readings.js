
(function () {
  "use strict";
  var space = "http://www.w3.org/2000/svg";
  var chosen = null;

  function values(readout) { return JSON.parse(readout.getAttribute("data-series")); }

  // Shows the values of a moment, and a line at it in each form of the chart.
  function show(readout, index) {
    var all = values(readout);
    var place = Math.max(0, Math.min(index, all.length - 1));
    chosen = all[place][1].slice(0, 16);
    readout.textContent = all[place][1];
    readout.setAttribute("aria-valuenow", place);
    readout.setAttribute("aria-valuetext", all[place][1]);
    readout.parentNode.querySelectorAll("svg").forEach(function (svg) {
      var plot = svg.querySelector(".plot");
      var line = svg.querySelector(".cursor");
      if (!line) {
        line = document.createElementNS(space, "line");
        line.setAttribute("class", "axis cursor");
        plot.after(line);
      }
      var x = Number(plot.getAttribute("x")) + all[place][0] * Number(plot.getAttribute("width"));
      var y = Number(plot.getAttribute("y"));
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      line.setAttribute("y1", y);
      line.setAttribute("y2", y + Number(plot.getAttribute("height")));
    });
  }

  // Shows the values nearest to the pointer.
  function point(event) {
    var svg = event.target.closest && event.target.closest("#trend svg");
    var readout = svg && document.querySelector(".readout");
    if (!readout) { return; }
    var plot = svg.querySelector(".plot").getBoundingClientRect();
    var share = (event.clientX - plot.left) / plot.width;
    var nearest = 0;
    var all = values(readout);
    all.forEach(function (one, index) {
      if (Math.abs(one[0] - share) < Math.abs(all[nearest][0] - share)) { nearest = index; }
    });
    show(readout, nearest);
  }

  function move(event) {
    var readout = event.target;
    if (!readout.classList || !readout.classList.contains("readout")) { return; }
    var last = values(readout).length - 1;
    var now = Number(readout.getAttribute("aria-valuenow"));
    var places = {
      ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1,
      PageDown: now - 24, PageUp: now + 24, Home: 0, End: last
    };
    if (!(event.key in places)) { return; }
    event.preventDefault();
    show(readout, places[event.key]);
  }

  // Without scripts, the element keeps the text of the last hour.
  function prepare() {
    document.querySelectorAll(".readout:not([role])").forEach(function (readout) {
      var all = values(readout);
      var known = all.findIndex(function (one) { return one[1].slice(0, 16) === chosen; });
      readout.tabIndex = 0;
      readout.setAttribute("role", "slider");
      readout.setAttribute("aria-label", "Medians of an hour; arrow keys move along the hours");
      readout.setAttribute("aria-valuemin", 0);
      readout.setAttribute("aria-valuemax", all.length - 1);
      readout.setAttribute("aria-valuenow", all.length - 1);
      readout.setAttribute("aria-valuetext", readout.textContent);
      if (known >= 0) { show(readout, known); }
    });
  }

  function filter(menu) {
    var input = menu.querySelector("input");
    menu.setAttribute("data-ready", "");
    input.placeholder = input.getAttribute("aria-label");
    input.addEventListener("input", function () {
      var wanted = input.value.trim().toLowerCase();
      menu.querySelectorAll("li").forEach(function (item) {
        item.hidden = !item.textContent.toLowerCase().includes(wanted);
      });
    });
  }

  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);
  document.addEventListener("keydown", move);
  document.addEventListener("focusin", function (event) {
    var target = event.target;
    if (target.classList.contains("readout")) {
      show(target, Number(target.getAttribute("aria-valuenow")));
    }
  });
  document.addEventListener("tables-changed", prepare);
  document.querySelectorAll(".menu").forEach(filter);
  prepare();
})();
