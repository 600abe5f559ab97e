// The objects of other autoscalers: what lint finds, what each is converted to, and
// whether both decide the same.
import { h, copy } from "./dom.js";
import { query, request } from "./api.js";
import { address, replace } from "./route.js";

const ask = async (id, signal) => (await request(`/api/foreign${id ? "?" + query({ id }) : ""}`, { signal })).json();

// verdicts are those of tidemark convert --diff.
const verdicts = { Equal: "good", Different: "warn", NotProven: "quiet", NotAnnounced: "bad" };

const kinds = [
  ["errors", (o) => o.errors > 0], ["warnings", (o) => o.warnings > 0], ["Equal", (o) => o.verdict === "Equal"], ["Different", (o) => o.verdict === "Different"],
  ["NotProven", (o) => o.verdict === "NotProven"], ["NotAnnounced", (o) => o.verdict === "NotAnnounced"], ["something lost", (o) => o.lost > 0], ["refused", (o) => o.refused],
];

const to = (o) => address(["migrate", o.kind, o.namespace || "-", o.name]);

const findings = (o) => [o.errors && `${o.errors} error${o.errors > 1 ? "s" : ""}`, o.warnings && `${o.warnings} warning${o.warnings > 1 ? "s" : ""}`, o.infos && `${o.infos} info`].filter(Boolean).join(", ") || "none";

const verdict = (word) => h("span", { class: `verdict ${verdicts[word] ?? "quiet"}` }, word || "–");

const scroll = (label, ...children) => h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": label }, children);

export function migrate(main, words, search) {
  const stop = new AbortController();
  const failed = (e) => { if (e.name !== "AbortError") main.replaceChildren(h("p", { class: "problem", role: "alert" }, e.message), h("a", { href: "#/migrate" }, "Back to the list")); };
  main.append(h("p", { class: "quiet", role: "status" }, "Looking at the objects…"));
  if (words.length === 3) ask([words[0], words[1] === "-" ? "" : words[1], words[2]].join("/"), stop.signal).then((m) => one(main, m), failed);
  else ask("", stop.signal).then((all) => list(main, all, search), failed);
  return () => stop.abort();
}

function list(main, all, search) {
  const most = 500;
  let only = search.get("only") ?? "", text = search.get("search") ?? "";
  const field = h("input", { id: "search", type: "search", placeholder: "Search", "aria-label": "Search", value: text, input: () => { text = field.value; draw(); } });
  const counters = h("div", { class: "counters", role: "group", "aria-label": "Filters" }), count = h("span", { class: "quiet", role: "status" }), place = h("div", {});
  main.replaceChildren(h("h1", {}, "Objects of other autoscalers"), counters, h("div", { class: "bar-of-tools" }, field, count), place, ...all.notes.map((n) => h("p", { class: "quiet" }, n)));

  function draw() {
    const pressed = kinds.find(([name]) => name === only);
    counters.replaceChildren(...kinds.map(([name, is]) => [name, all.objects.filter(is).length]).filter(([name, n]) => n > 0 || name === only).map(([name, n]) =>
      h("button", { type: "button", class: "counter", "aria-pressed": String(name === only), click: () => { only = only === name ? "" : name; draw(); } }, h("span", { class: "many" }, n), " ", name)));
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = all.objects.filter((o) => (!pressed || pressed[1](o)) && wanted.every((w) => `${o.kind} ${o.namespace}/${o.name} ${o.target} ${o.verdict}`.toLowerCase().includes(w)));
    count.textContent = rows.length > most ? `the first ${most} of ${rows.length} objects` : `${rows.length} objects`;
    place.replaceChildren(scroll("Objects", h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, ["Object", "Kind", "Scales", "Findings", "Decides the same", "Lost", "One object with"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, rows.slice(0, most).map((o) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: to(o) }, h("span", { class: "namespace" }, o.namespace ? o.namespace + "/" : ""), o.name)), h("td", {}, o.kind), h("td", {}, o.target),
        h("td", { class: o.errors ? "bad" : o.warnings ? "warn" : null }, findings(o)), h("td", {}, o.refused ? h("span", { class: "verdict bad" }, "refused") : verdict(o.verdict)), h("td", {}, o.lost ? `${o.lost} fields` : "nothing"), h("td", {}, (o.with ?? []).join(", "))))))));
    replace(["migrate"], { only, search: text });
  }
  draw();
}

function one(main, m) {
  const button = (label, text, what) => { const b = h("button", { type: "button", click: async () => { b.textContent = (await copy(text, what)) ? "Copied" : "Select the text instead"; } }, label); return b; };
  const findingsList = m.findings.length ? h("ul", { "aria-label": "Findings" }, m.findings.map((f) => h("li", { class: f.severity }, h("strong", {}, f.severity), f.line ? ` line ${f.line} ` : " ", h("span", { class: "word" }, f.rule), " ",
    f.path && h("code", {}, f.path), " ", f.message, f.fix && h("span", { class: "quiet" }, " " + f.fix)))) : h("p", {}, "Lint finds nothing.");
  const text = (label, yaml, ...tools) => h("section", { "aria-label": label }, h("h2", {}, label), h("div", { class: "bar-of-tools" }, tools), h("pre", { class: "manifest", tabindex: "0", "aria-label": label }, yaml));
  main.replaceChildren(h("h1", {}, `${m.kind} `, h("span", { class: "namespace" }, m.namespace ? m.namespace + "/" : ""), m.name),
    m.refused ? h("p", { class: "problem" }, m.refused) : h("p", {}, verdict(m.verdict), " ", m.words),
    m.with?.length ? h("p", { class: "quiet" }, `It becomes one object with ${m.with.join(" and ")}.`) : "",
    h("div", { class: "beside halves" }, text("Original", m.yaml, button("Copy", m.yaml, "The original")),
      m.converted ? text("Converted", m.converted, button("Copy", m.converted, "The object"), button("Copy as Recommend", m.recommended, "The object in mode Recommend")) : ""),
    h("section", { class: "findings", "aria-label": "Findings of lint" }, h("h2", {}, "Findings of lint"), findingsList),
    m.converted ? decisions(m) : "", m.converted ? fields(m) : "");
}

// decisions are what both decide about the same loads.
function decisions(m) {
  const differ = m.rows.filter((r) => r.differs).length;
  return h("section", { "aria-label": "Decisions" }, h("h2", {}, "Decisions"), h("p", { class: "quiet" }, `Old: ${m.original}. Each load has lasted for hours, so that windows and delays are over.`),
    m.oneSided.map((t) => h("p", {}, t)), m.notComputed.map((t) => h("p", {}, `not computed: ${t}`)),
    m.rows.length ? h("details", { open: differ > 0 || m.rows.length < 40 }, h("summary", {}, `${m.rows.length} loads, ${differ} decided otherwise`), scroll("Decisions about the same loads", h("table", { class: "plain numbers" },
      h("thead", {}, h("tr", {}, ["Pods", "Load", "Old", "New", "Why they differ"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, m.rows.map((r) => h("tr", { class: r.differs ? "differs" : null }, h("td", {}, r.pods), h("th", { scope: "row" }, r.load), h("td", {}, r.old ?? "–"), h("td", {}, r.new),
        h("td", { class: "wrap" }, r.differs ? r.because.join("; ") || "NOT ANNOUNCED" : ""))))))) : h("p", {}, "There is no metric to decide by, so there is nothing to compare."));
}

// fields are what became of each field.
function fields(m) {
  const by = Object.groupBy(m.fields, (f) => f.fate);
  return h("section", { "aria-label": "Fields" }, h("h2", {}, "What became of each field"), h("p", { class: "quiet" }, Object.entries(by).map(([fate, list]) => `${list.length} ${fate}`).join(", ")),
    scroll("Fields of the original", h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ["Fate", "Field", "To", "Note"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, m.fields.map((f) => h("tr", { class: f.lost ? "lost" : null }, h("td", {}, f.lost ? `${f.fate}, lost` : f.fate), h("th", { scope: "row" }, h("code", {}, f.path || "–")), h("td", {}, h("code", {}, f.to || "–")), h("td", { class: "wrap" }, f.note)))))));
}
