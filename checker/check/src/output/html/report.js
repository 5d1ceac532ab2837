// Filters and groups the findings, and renders them in steps.
"use strict";
(() => {
  const STEP = 60; // findings that are rendered at once
  const PRINTED = 2000; // maximum number of findings in print
  const FIELDS = 12; // numbers of one finding, in the order below
  const DOCUMENT = 0, RULE = 1, SEVERITY = 2, LINE = 3, COLUMN = 4, MESSAGE = 5, HELP = 6, SOURCE = 7, FROM = 8, LENGTH = 9, CAUSE = 10, WRITTEN = 11;
  const LEVELS = ["warning", "error"];

  const data = JSON.parse(document.getElementById("data").textContent);
  const { findings, texts, documents, rules, things, written, editor } = data;
  const total = findings.length / FIELDS;
  if (total === 0) return;
  const at = (finding, field) => findings[finding * FIELDS + field];
  const get = (id) => document.getElementById(id);
  const number = new Intl.NumberFormat("en");
  const count = (n, word) => `${number.format(n)} ${word}${n === 1 ? "" : "s"}`;

  const filters = get("filters"), list = get("list"), more = get("more"), shown = get("shown");
  const inputs = { text: get("text"), page: get("page"), rule: get("rule"), severity: get("severity") };
  for (const [index, rule] of rules.entries()) inputs.rule.add(new Option(`${rule.id} (${number.format(rule.findings)})`, index));
  for (const id of ["text", "page"]) inputs[id].value = "";

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  /** Converts text in which backticks mark code. */
  function prose(text) {
    const parts = text.split("`");
    if (parts.length % 2 === 0) return [text];
    return parts.map((part, index) => (index % 2 ? element("code", "", part) : part));
  }

  function sourceLine(finding) {
    const line = Array.from(texts[at(finding, SOURCE)]);
    const from = at(finding, FROM), to = from + at(finding, LENGTH);
    const cut = (start, end) => line.slice(start, end).join("");
    return element("pre", "line", cut(0, from), element("mark", "", cut(from, to)), cut(to));
  }

  /** Returns the source of a finding, or its possible sources. */
  function source(finding) {
    const [isCertain, places] = written[at(finding, WRITTEN)];
    const links = places.flatMap(([name, href], index) => {
      const link = element("a", "", name);
      link.href = href;
      return index === 0 ? [link] : [" or ", link];
    });
    return element("p", "written", isCertain ? "source: " : "possible source: ", ...links);
  }

  /** Returns the location of a finding: a link to the editor, and a button that copies it. */
  function place(finding, withDocument) {
    const file = documents[at(finding, DOCUMENT)], line = at(finding, LINE), column = at(finding, COLUMN);
    const whole = `${file}:${line}:${column}`;
    const name = withDocument ? whole : `${line}:${column}`;
    const made = element("span", "at", editor ? element("a", "", name) : name);
    if (editor) made.firstChild.href = editor.replace("{file}", encodeURI(file).replace(/[?#]/g, encodeURIComponent)).replace("{line}", line).replace("{column}", column);
    const button = element("button", "copy", "Copy");
    button.type = "button";
    button.setAttribute("aria-label", `Copy ${whole}`);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(whole);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    made.append(" ", button);
    return made;
  }

  function article(finding, withDocument) {
    const level = LEVELS[at(finding, SEVERITY)];
    const made = element("article", `finding ${level}${withDocument ? " cause" : ""}`,
      place(finding, withDocument),
      element("p", "what", ...prose(texts[at(finding, MESSAGE)])),
      element("span", "tags", element("code", "", rules[at(finding, RULE)].id), element("span", "level", level)));
    if (at(finding, WRITTEN) >= 0) made.append(source(finding));
    if (at(finding, SOURCE) >= 0) made.append(sourceLine(finding));
    if (at(finding, HELP) >= 0) made.append(element("p", "help", ...prose(texts[at(finding, HELP)])));
    return made;
  }

  /** Returns which strings of a table contain the search text. */
  function holding(table, wanted) {
    const hits = new Uint8Array(table.length);
    for (let index = 0; index < table.length; index++) hits[index] = table[index].toLowerCase().includes(wanted) ? 1 : 0;
    return hits;
  }

  function filtered() {
    const text = inputs.text.value.trim().toLowerCase(), page = inputs.page.value.trim().toLowerCase();
    const inTexts = text && holding(texts, text), inDocuments = text && holding(documents, text);
    const inWritten = text && holding(written.map(([, places]) => places.map(([name]) => name).join(" ")), text);
    const onPages = page && holding(documents, page);
    const rule = inputs.rule.value === "" ? -1 : Number(inputs.rule.value);
    const severity = inputs.severity.value === "" ? -1 : LEVELS.indexOf(inputs.severity.value);
    const kept = [];
    for (let finding = 0; finding < total; finding++) {
      if (rule >= 0 && at(finding, RULE) !== rule) continue;
      if (severity >= 0 && at(finding, SEVERITY) !== severity) continue;
      if (onPages && !onPages[at(finding, DOCUMENT)]) continue;
      if (text && !inDocuments[at(finding, DOCUMENT)] &&
        ![MESSAGE, HELP, SOURCE].some((field) => at(finding, field) >= 0 && inTexts[at(finding, field)]) &&
        !inTexts[things[at(finding, CAUSE)]] && !(at(finding, WRITTEN) >= 0 && inWritten[at(finding, WRITTEN)])) continue;
      kept.push(finding);
    }
    return kept;
  }

  /** Renders the next part of the current list; each view replaces it. */
  let next = () => false;

  function byPage(kept) {
    const perDocument = new Map();
    for (const finding of kept) perDocument.set(at(finding, DOCUMENT), (perDocument.get(at(finding, DOCUMENT)) || 0) + 1);
    let position = 0, last = -1;
    next = (amount) => {
      const part = document.createDocumentFragment();
      for (const end = Math.min(position + amount, kept.length); position < end; position++) {
        const finding = kept[position], of = at(finding, DOCUMENT);
        if (of !== last) {
          part.append(element("h3", "page-name", documents[of], element("span", "figure", count(perDocument.get(of), "finding"))));
          last = of;
        }
        part.append(article(finding, false));
      }
      list.append(part);
      return position < kept.length;
    };
    return count(perDocument.size, "page");
  }

  /** Groups findings by cause; causes are numbered by importance. */
  function causeGroups(kept) {
    const groups = new Map();
    for (const finding of kept) {
      const cause = at(finding, CAUSE);
      let group = groups.get(cause);
      if (!group) groups.set(cause, (group = { cause, findings: [], pages: 0, last: -1 }));
      group.findings.push(finding);
      if (group.last !== at(finding, DOCUMENT)) {
        group.last = at(finding, DOCUMENT);
        group.pages++;
      }
    }
    return [...groups.values()].sort((a, b) => a.cause - b.cause);
  }

  /** Returns another location of a cause, with its message if it differs from the first. */
  function otherPlace(finding, first) {
    const made = element("article", `finding ${LEVELS[at(finding, SEVERITY)]}`,
      place(finding, true));
    if (at(finding, MESSAGE) !== at(first, MESSAGE)) made.append(element("p", "what", ...prose(texts[at(finding, MESSAGE)])));
    if (at(finding, WRITTEN) >= 0 && at(finding, WRITTEN) !== at(first, WRITTEN)) made.append(source(finding));
    if (at(finding, SOURCE) >= 0) made.append(sourceLine(finding));
    return made;
  }

  function causeGroup(group) {
    const [first, ...others] = group.findings;
    const shown = [article(first, true)];
    if (others.length === 0) return shown;
    const elsewhere = group.pages - (at(others[0], DOCUMENT) === at(first, DOCUMENT) ? 0 : 1);
    const pages = group.pages === 1 ? "in this file" : `in ${count(elsewhere, "file")}`;
    const made = element("details", "group", element("summary", "", `and ${count(others.length, "more place")} ${pages}`));
    let position = 0;
    const button = element("button", "inner-more", "Show more");
    button.type = "button";
    const fill = () => {
      const part = others.slice(position, position + STEP);
      position += part.length;
      button.remove();
      made.append(...part.map((finding) => otherPlace(finding, first)));
      if (position < others.length) made.append(button);
    };
    button.addEventListener("click", fill);
    made.addEventListener("toggle", () => { if (made.open && position === 0) fill(); });
    return [...shown, made];
  }

  function byCause(kept) {
    const groups = causeGroups(kept);
    let position = 0;
    next = (amount) => {
      const part = groups.slice(position, position + amount);
      position += part.length;
      list.append(...part.flatMap(causeGroup));
      return position < groups.length;
    };
    return count(groups.length, "cause");
  }

  const isFiltered = () => Object.values(inputs).some((input) => input.value !== "");
  const grouping = () => new FormData(filters).get("group");

  function show() {
    const kept = filtered();
    list.replaceChildren();
    const spread = grouping() === "page" ? byPage(kept) : byCause(kept);
    const of = kept.length === total ? count(total, "finding") : `${number.format(kept.length)} of ${count(total, "finding")}`;
    shown.textContent = `${of}, ${spread}`;
    if (kept.length === 0) list.append(element("p", "none", "No findings match these filters."));
    more.hidden = !next(STEP);
    get("reset").hidden = !isFiltered();
  }

  // The URL's fragment contains the filters, so that a view can be bookmarked and shared.
  function remember() {
    const state = new URLSearchParams();
    for (const [id, input] of Object.entries(inputs)) {
      if (input.value !== "") state.set(id, id === "rule" ? rules[input.value].id : input.value);
    }
    if (grouping() !== "cause") state.set("group", grouping());
    try {
      history.replaceState(null, "", `#${state}`);
    } catch {
      // Some file viewers do not allow changes of the URL.
    }
  }

  function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const id of ["text", "page", "severity"]) inputs[id].value = state.get(id) || "";
    const rule = rules.findIndex((rule) => rule.id === state.get("rule"));
    inputs.rule.value = rule < 0 ? "" : String(rule);
    const group = state.get("group") || "cause";
    get(group === "page" ? "group-page" : "group-cause").checked = true;
  }

  const changed = () => { show(); remember(); };
  let waiting = 0;
  filters.addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(changed, event.target.type === "search" ? 120 : 0);
  });
  filters.addEventListener("reset", () => setTimeout(changed));
  filters.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => { more.hidden = !next(STEP); });
  new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && !more.hidden) more.hidden = !next(STEP);
  }, { rootMargin: "1200px" }).observe(get("rest"));
  addEventListener("beforeprint", () => { if (!more.hidden) more.hidden = !next(PRINTED); });
  addEventListener("hashchange", () => {
    if (location.hash === "" || location.hash.includes("=")) { recall(); show(); }
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest && event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      inputs.text.focus();
    }
  });
  for (const row of document.querySelectorAll("tr[data-rule]")) {
    row.addEventListener("click", (event) => {
      event.preventDefault();
      inputs.rule.value = String(rules.findIndex((rule) => rule.id === row.dataset.rule));
      changed();
      get("findings").scrollIntoView();
      inputs.rule.focus({ preventScroll: true });
    });
  }

  filters.hidden = false;
  recall();
  show();
})();
