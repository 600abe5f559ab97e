// The objects of other autoscalers: what lint finds, what each is converted to, and
// whether both decide the same.
import { h, copier, keeping } from "./dom.js";
import { query, request } from "./api.js";
import { findings } from "./findings.js";
import { address, replace } from "./route.js";

const ask = async (id, signal) => (await request(`/api/foreign${id ? "?" + query({ id }) : ""}`, { signal })).json();

// verdicts are those of tidemark convert --diff.
const verdicts = { Equal: "good", Different: "warn", NotProven: "quiet", NotAnnounced: "bad" };

// kinds are the filters.
const kinds = [
  ["with errors", (o) => o.errors > 0], ["with warnings", (o) => o.warnings > 0], ...Object.keys(verdicts).map((word) => [word, (o) => o.verdict === word]),
  ["something lost", (o) => o.lost > 0], ["refused", (o) => o.refused],
];

const to = (o) => address(["migrate", o.kind, o.namespace || "-", o.name]);

const many = (n, word) => n && `${n} ${word}${n > 1 ? "s" : ""}`;
const foundIn = (o) => [many(o.errors, "error"), many(o.warnings, "warning"), o.infos && `${o.infos} info`].filter(Boolean).join(", ") || "none";

const verdict = (word) => h("span", { class: `verdict ${verdicts[word] ?? "quiet"}` }, word || "–");

// scrolling is a table that may be wider than the page.
const scrolling = (label, kind, titles, rows) => h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": label },
  h("table", { class: kind }, h("thead", {}, h("tr", {}, titles.map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, rows)));

const prefix = (o) => h("span", { class: "namespace" }, o.namespace ? o.namespace + "/" : "");

export function migrate(main, words, search) {
  const stop = new AbortController(), one = words.length === 3;
  main.append(h("p", { class: "quiet", role: "status" }, "Looking at the objects…"));
  const id = one ? [words[0], words[1] === "-" ? "" : words[1], words[2]].join("/") : "";
  ask(id, stop.signal).then((got) => (one ? object(main, got) : list(main, got, search)), (e) => {
    if (e.name === "AbortError") return;
    main.replaceChildren(h("p", { class: "problem", role: "alert" }, e.message), h("a", { href: "#/migrate" }, "Back to the list"));
  });
  return () => stop.abort();
}

// row is an object of the list.
const row = (o) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: to(o) }, prefix(o), o.name)), h("td", {}, o.kind), h("td", {}, o.target),
  h("td", { class: o.errors ? "bad" : o.warnings ? "warn" : null }, foundIn(o)),
  h("td", {}, o.refused ? h("span", { class: "verdict bad" }, "refused") : verdict(o.verdict)),
  h("td", {}, o.lost ? `${o.lost} fields` : "nothing"), h("td", {}, (o.with ?? []).join(", ")));

function list(main, all, search) {
  const most = 500;
  let only = search.get("only") ?? "", text = search.get("search") ?? "";
  const field = h("input", { id: "search", type: "search", placeholder: "Search", "aria-label": "Search", value: text,
    input: () => { text = field.value; draw(); } });
  const counters = h("div", { class: "counters", role: "group", "aria-label": "Filters" });
  const count = h("span", { class: "quiet", role: "status" }), place = h("div", {});
  main.replaceChildren(h("h1", {}, "Objects of other autoscalers"), counters, h("div", { class: "bar-of-tools" }, field, count), place,
    ...all.notes.map((n) => h("p", { class: "quiet" }, n)));

  const press = (name) => () => { only = only === name ? "" : name; draw(); };
  const counter = ([name, n]) => h("button", { type: "button", class: "counter", "aria-pressed": String(name === only), click: press(name) },
    h("span", { class: "many" }, n), " ", name);

  function draw() {
    const pressed = kinds.find(([name]) => name === only);
    const counted = kinds.map(([name, is]) => [name, all.objects.filter(is).length]).filter(([name, n]) => n > 0 || name === only);
    keeping(counters, () => counters.replaceChildren(...counted.map(counter)));
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (o) => {
      const words = `${o.kind} ${o.namespace}/${o.name} ${o.target} ${o.verdict}`.toLowerCase();
      return wanted.every((w) => words.includes(w));
    };
    const rows = all.objects.filter((o) => (!pressed || pressed[1](o)) && matches(o));
    count.textContent = rows.length > most ? `the first ${most} of ${rows.length} objects` : `${rows.length} objects`;
    const titles = ["Object", "Kind", "Scales", "Findings", "Decides the same", "Lost", "One object with"];
    place.replaceChildren(scrolling("Objects", "plain", titles, rows.slice(0, most).map(row)));
    replace(["migrate"], { only, search: text });
  }
  draw();
}

// object is one of them beside what it is converted to.
function object(main, m) {
  const text = (label, yaml, ...tools) => h("section", { "aria-label": label }, h("h2", {}, label), h("div", { class: "bar-of-tools" }, tools),
    h("pre", { class: "manifest", tabindex: "0", "aria-label": label }, yaml));
  main.replaceChildren(h("h1", {}, `${m.kind} `, prefix(m), m.name),
    m.refused ? h("p", { class: "problem" }, m.refused) : h("p", {}, verdict(m.verdict), " ", m.words),
    m.with?.length ? h("p", { class: "quiet" }, `It becomes one object with ${m.with.join(" and ")}.`) : "",
    h("div", { class: "beside halves" }, text("Original", m.yaml, copier("Copy", "The original", () => m.yaml)),
      m.converted ? text("Converted", m.converted, copier("Copy", "The object", () => m.converted),
        copier("Copy as Recommend", "The object in mode Recommend", () => m.recommended)) : ""),
    h("section", { class: "findings", "aria-label": "Findings of lint" }, h("h2", {}, "Findings of lint"),
      m.findings.length ? findings(m.findings) : h("p", {}, "Lint finds nothing.")),
    m.converted ? decisions(m) : "", m.converted ? fields(m) : "");
}

// decisions are what both decide about the same loads.
function decisions(m) {
  const differ = m.rows.filter((r) => r.differs).length;
  const load = (r) => h("tr", { class: r.differs ? "differs" : null }, h("td", {}, r.pods), h("th", { scope: "row" }, r.load), h("td", {}, r.old ?? "–"),
    h("td", {}, r.new), h("td", { class: "wrap" }, r.differs ? r.because.join("; ") || "NOT ANNOUNCED" : ""));
  const table = () => h("details", { open: differ > 0 || m.rows.length < 40 }, h("summary", {}, `${m.rows.length} loads, ${differ} decided otherwise`),
    scrolling("Decisions about the same loads", "plain numbers", ["Pods", "Load", "Old", "New", "Why they differ"], m.rows.map(load)));
  return h("section", { "aria-label": "Decisions" }, h("h2", {}, "Decisions"),
    h("p", { class: "quiet" }, `Old: ${m.original}. Each load has lasted for hours, so that windows and delays are over.`),
    m.oneSided.map((t) => h("p", {}, t)), m.notComputed.map((t) => h("p", {}, `not computed: ${t}`)),
    m.rows.length ? table() : h("p", {}, "There is no metric to decide by, so there is nothing to compare."));
}

// fields are what became of each field.
function fields(m) {
  const counted = Object.entries(Object.groupBy(m.fields, (f) => f.fate)).map(([fate, all]) => `${all.length} ${fate}`).join(", ");
  const field = (f) => h("tr", { class: f.lost ? "lost" : null }, h("td", {}, f.lost ? `${f.fate}, lost` : f.fate),
    h("th", { scope: "row" }, h("code", {}, f.path || "–")), h("td", {}, h("code", {}, f.to || "–")), h("td", { class: "wrap" }, f.note));
  return h("section", { "aria-label": "Fields" }, h("h2", {}, "What became of each field"), h("p", { class: "quiet" }, counted),
    scrolling("Fields of the original", "plain", ["Fate", "Field", "To", "Note"], m.fields.map(field)));
}
