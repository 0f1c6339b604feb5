
(function () {
  "use strict";
  var status = document.getElementById("live");
  var isBusy = false;
  var isWanted = false;
  var source = null;
  var retry = null;

  function say(state, text) {
    status.setAttribute("data-state", state);
    status.textContent = text;
  }

  // The time of the page's own clock, which may differ from the reader's. A page without figures has no time.
  function moment() { return document.querySelector("main").getAttribute("data-moment"); }

  function sayLost(reason) {
    say("lost", reason + (moment() ? " The figures are as of " + moment() + "." : ""));
  }

  // The reader's layout of the content that is about to be replaced.
  function arrangement(main) {
    return {
      open: Array.from(main.querySelectorAll("details"), function (one) { return one.open; }),
      sorted: Array.from(main.querySelectorAll("table"), function (table) {
        var heads = Array.from(table.querySelectorAll("thead th"));
        var column = heads.findIndex(function (head) { return head.hasAttribute("aria-sort"); });
        var falls = column >= 0 && heads[column].getAttribute("aria-sort") === "descending";
        return { column: column, clicks: column < 0 ? 0 : falls ? 2 : 1 };
      }),
      scrolled: Array.from(main.querySelectorAll(".scroll, pre"), function (one) {
        return one.scrollLeft;
      }),
      focus: Array.from(main.querySelectorAll("a, button, summary, [tabindex]"))
        .indexOf(document.activeElement)
    };
  }

  function arrange(main, old) {
    main.querySelectorAll("details").forEach(function (one, index) {
      one.open = Boolean(old.open[index]);
    });
    document.dispatchEvent(new Event("tables-changed"));
    main.querySelectorAll("table").forEach(function (table, index) {
      var sort = old.sorted[index] || { clicks: 0 };
      for (var click = 0; click < sort.clicks; click += 1) {
        var button = table.querySelectorAll("thead button")[sort.column];
        if (button) { button.click(); }
      }
    });
    // Folded content cannot be scrolled, so this follows the opening of the details.
    main.querySelectorAll(".scroll, pre").forEach(function (one, index) {
      one.scrollLeft = old.scrolled[index] || 0;
    });
    if (old.focus >= 0) {
      var places = main.querySelectorAll("a, button, summary, [tabindex]");
      if (places[old.focus]) { places[old.focus].focus({ preventScroll: true }); }
    }
  }

  function show(text) {
    var next = new DOMParser().parseFromString(text, "text/html").querySelector("main");
    var main = document.querySelector("main");
    if (!next) { return; }
    var old = arrangement(main);
    main.replaceWith(document.adoptNode(next));
    arrange(next, old);
  }

  function refresh() {
    if (document.hidden || isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    isWanted = false;
    fetch(location.href, { cache: "no-store" }).then(function (reply) {
      if (!reply.ok) { return sayLost("The last refresh failed."); }
      return reply.text().then(function (text) {
        show(text);
        say("live", "Refreshes automatically; last at " + moment() + ".");
      });
    }).catch(function () {
      sayLost("No connection to the dashboard.");
    }).finally(function () {
      isBusy = false;
      if (isWanted) { refresh(); }
    });
  }

  function follow(wasLost) {
    var events = new EventSource("/events");
    source = events;
    events.addEventListener("edition", function (event) {
      // The server also announces the page's own edition, so that no edition is missed.
      var edition = document.querySelector("main").getAttribute("data-edition");
      // After a failed refresh, the edition arrives again with each repetition.
      var isLost = status.getAttribute("data-state") === "lost";
      if (isLost || Number(event.data) > Number(edition)) { refresh(); }
    });
    events.onopen = function () {
      if (wasLost) {
        refresh();
      } else if (!status.textContent) {
        say("live", "Refreshes automatically.");
      }
      wasLost = false;
    };
    events.onerror = function () {
      if (source !== events) { return; }
      wasLost = true;
      sayLost("No connection to the dashboard.");
      // After a refusal, as with too many readers, a browser does not retry automatically.
      if (events.readyState === EventSource.CLOSED) {
        retry = setTimeout(function () { follow(true); }, 10000);
      }
    };
  }

  // A browser keeps six connections per server for all of its tabs together. Hidden tabs leave the
  // connections to other tabs. When a tab becomes visible again, it fetches missed data.
  document.addEventListener("visibilitychange", function () {
    clearTimeout(retry);
    if (source) { source.close(); }
    source = null;
    if (!document.hidden) {
      follow(false);
      refresh();
    }
  });

  if (!document.hidden) { follow(false); }
})();
