// The fleet: counters that filter, and a table of all workloads.
import { h, save, say } from "./dom.js";
import { state, listen } from "./state.js";
import { age, amount, moment } from "./format.js";
import { toWorkload, toDecision, replace } from "./route.js";
import { table } from "./table.js";
import { draw, lookOf } from "./spark.js";
import { onTheme } from "./theme.js";

const counters = ["needs a look", "at maximum", "no data", "paused", "recommend only", "conflicts", "waiting for nodes"];
const none = "–";

const columns = [
  { id: "name", title: "Workload", class: "name", sort: (r) => r.id },
  { id: "mode", title: "Mode", class: "mode", sort: (r) => r.mode },
  { id: "replicas", title: "Replicas", class: "count", sort: (r) => r.replicas, help: "now → wanted, within the bounds that hold" },
  { id: "size", title: "Pod size", class: "size", sort: (r) => r.size, help: "what a pod requests now → what is wanted" },
  { id: "day", title: "Last day", class: "day", sort: (r) => r.top, help: "demand as an area, capacity as a line, in cores" },
  { id: "reason", title: "Why", class: "why", sort: (r) => r.reason + r.limitedBy },
  { id: "changed", title: "Changed", class: "number", sort: (r) => -r.changed, help: "how long ago the size last changed" },
  { id: "changes", title: "Changes", class: "number", sort: (r) => r.changes, help: "changes of size in the last day" },
  { id: "starved", title: "Starved", class: "number", sort: (r) => r.starved,
    help: "minutes of the last day in which more was asked for than the pods could do" },
  { id: "waste", title: "Waste", class: "number", sort: (r) => r.wasteMoney ?? r.waste ?? -1,
    help: "share of the requested cores that was not used in the last day; with prices, what that cost" },
  { id: "saving", title: "Saving", class: "number", sort: (r) => r.money ?? r.saving,
    help: "what the wanted size requests less than the present one, in cores; with prices, in money a day" },
];

// saving is what the wanted size costs less, where that is anything at all.
function saving(row) {
  if (row.money === undefined) return row.saving ? amount(row.saving) : none;
  return Math.abs(row.money) < 0.005 ? none : `${row.money.toFixed(2)} a day`;
}

// bar shows a count between its bounds.
function bar(row) {
  const top = Math.max(row.max, row.replicas, row.want, 1), at = (n) => `${(100 * n) / top}%`;
  return h("span", { class: "bar", "aria-hidden": "true" },
    h("span", { class: "range", style: { left: at(row.min), right: `${100 - (100 * Math.min(row.max || top, top)) / top}%` } }),
    h("span", { class: "now", style: { width: at(row.replicas) } }),
    h("span", { class: "want", style: { left: at(row.want) } }));
}

const arrow = (from, to) => (from === to ? String(from) : `${from} → ${to}`);

function cells(row) {
  const bounds = row.max ? ` of ${row.min}..${row.max}` : "";
  const spark = h("canvas", { class: "spark", role: "img", "aria-label": `demand and capacity of the last day, at most ${amount(row.top)} cores` });
  const cell = (id, ...inside) => h("td", { class: columns.find((c) => c.id === id).class }, ...inside);
  const element = h("tr", { class: row.needs.includes("needs a look") ? "look" : null },
    h("th", { scope: "row", class: "name" },
      h("a", { href: toWorkload(row), title: row.why || null }, h("span", { class: "namespace" }, row.namespace + "/"), row.name)),
    cell("mode", row.mode || none),
    cell("replicas", h("span", {}, arrow(row.replicas, row.want)), h("span", { class: "quiet" }, bounds), bar(row)),
    cell("size", row.size === row.wantSize ? row.size || none : arrow(row.size, row.wantSize)),
    cell("day", spark),
    cell("reason", h("a", { class: "reason", href: toDecision(row, "last"), title: row.headline }, row.reason || none),
      row.limitedBy && h("span", { class: "limit" }, "limited by ", row.limitedBy)),
    cell("changed", row.changed ? h("span", { title: moment(row.changed) }, age(state.about.now - row.changed)) : none),
    cell("changes", String(row.changes)),
    cell("starved", row.starved < 0 ? none : `${amount(Math.round(row.starved))} min`),
    cell("waste", row.waste === null ? none : `${Math.round(row.waste)} %`,
      row.wasteMoney !== undefined && h("span", { class: "quiet" }, ` ${row.wasteMoney.toFixed(2)}`)),
    cell("saving", saving(row)));
  let drawn = false;
  const after = (known) => {
    if (drawn || !spark.isConnected) return;
    known.look ??= lookOf(spark);
    draw(spark, row, known.look);
    drawn = true;
  };
  return { element, after };
}

const groupRow = (item, span) => h("tr", { class: "group" },
  h("th", { scope: "rowgroup", colspan: span }, item.title, h("span", { class: "quiet" }, ` ${item.count}`)));

// csv is the table as it is filtered and sorted.
function csv(rows) {
  const titles = ["namespace", "name", "kind", "mode", "replicas", "want", "ready", "min", "max", "size", "wantSize", "reason", "limitedBy",
    "changes", "starved", "waste", "wasteMoney", "saving", "money"];
  const quote = (v) => (/[",\n]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v);
  // A cell that begins as a formula does would be run by a spreadsheet.
  const safe = (v) => (/^[=+\-@\t]/.test(v) && Number.isNaN(Number(v)) ? `'${v}` : v);
  const value = (r, t) => String((t === "starved" && r[t] < 0 ? "" : r[t]) ?? "");
  const lines = rows.map((r) => titles.map((t) => quote(safe(value(r, t)))).join(","));
  return [titles.join(","), ...lines].join("\n") + "\n";
}

export function fleet(main, _words, query) {
  const wanted = { need: query.get("need") ?? "", text: query.get("q") ?? "", group: query.get("group") ?? "" };
  const sort = { by: columns.some((c) => c.id === query.get("sort")) ? query.get("sort") : "name", down: query.get("down") === "1" };
  let seen = -1, listed = [];

  const search = h("input", { id: "search", type: "search", placeholder: "name, reason, label=value", "aria-label": "Search", value: wanted.text,
    input: () => { wanted.text = search.value; render(); } });
  const grouping = h("select", { "aria-label": "Group by", change: () => { wanted.group = grouping.value; render(); } });
  const buttons = counters.map((need) => h("button", { type: "button", class: "counter", "aria-pressed": String(wanted.need === need), click: (e) => {
    wanted.need = wanted.need === need ? "" : need;
    for (const b of buttons) b.setAttribute("aria-pressed", String(b === e.currentTarget && wanted.need !== ""));
    render();
  } }, h("span", { class: "many" }, "0"), " ", need));
  const total = h("span", { class: "quiet", role: "status" });
  const rows = table({ label: "Workloads", columns, sort, cells, group: groupRow, onSort: (id) => {
    sort.down = sort.by === id ? !sort.down : false;
    sort.by = id;
    render();
    say(`Sorted by ${columns.find((c) => c.id === id).title}`);
  } });
  const download = h("button", { type: "button", click: () => save("fleet.csv", "text/csv", csv(listed)) }, "CSV");

  main.append(h("h1", { class: "hidden" }, "Fleet"),
    h("div", { class: "counters", role: "group", "aria-label": "Filter by what needs attention" }, buttons),
    h("div", { class: "bar-of-tools" }, search, h("label", {}, "Group ", grouping), download, total),
    rows.element);

  function groups() {
    const labels = new Set();
    for (const r of state.rows.values()) for (const l of Object.keys(r.labels ?? {})) labels.add(l);
    const options = ["", "namespace", ...[...labels].sort().map((l) => "label " + l)];
    if ([...grouping.options].map((o) => o.value).join("\n") === options.join("\n")) return;
    grouping.replaceChildren(...options.map((o) => h("option", { value: o }, o || "nothing")));
    grouping.value = wanted.group;
  }

  const matches = (r) => {
    if (wanted.need && !r.needs.includes(wanted.need)) return false;
    return wanted.text.toLowerCase().split(/\s+/).filter(Boolean).every((word) => {
      const [label, value] = word.split("=");
      if (value !== undefined) return Object.entries(r.labels ?? {}).some(([k, v]) => k.toLowerCase() === label && v.toLowerCase().startsWith(value));
      return `${r.id} ${r.kind} ${r.mode} ${r.reason} ${r.limitedBy}`.toLowerCase().includes(word);
    });
  };

  function inGroups(list) {
    if (!wanted.group) return list;
    const of = wanted.group === "namespace" ? (r) => r.namespace : (r) => r.labels?.[wanted.group.slice(6)] ?? "without";
    const by = Map.groupBy(list, of);
    const head = (title, count) => ({ id: `group ${title}`, title, count, mark: count });
    return [...by.keys()].sort().flatMap((title) => [head(title, by.get(title).length), ...by.get(title)]);
  }

  function render() {
    seen = state.version;
    const all = [...state.rows.values()];
    buttons.forEach((b, i) => { b.firstChild.textContent = String(all.filter((r) => r.needs.includes(counters[i])).length); });
    groups();
    const by = columns.find((c) => c.id === sort.by).sort;
    listed = all.filter(matches).map((r) => [by(r), r]).sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x.id < y.id ? -1 : 1)).map(([, r]) => r);
    if (sort.down) listed.reverse();
    total.textContent = listed.length === all.length ? `${all.length} workloads` : `${listed.length} of ${all.length} workloads`;
    rows.set(inGroups(listed));
    replace([], { need: wanted.need, q: wanted.text, group: wanted.group, sort: sort.by === "name" ? "" : sort.by, down: sort.down ? "1" : "" });
  }

  render();
  const stops = [listen(() => { if (seen !== state.version) render(); }), onTheme(() => rows.redraw())];
  return () => { for (const s of stops) s(); rows.stop(); };
}
