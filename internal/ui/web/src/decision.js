// One decision: its steps as a tree with the arithmetic, what would change it, the
// pods that were seen, and the decision to be taken away.
import { h, copier } from "./dom.js";
import { decision as ask } from "./api.js";
import { iso, moment } from "./format.js";
import { namedPods } from "./pods.js";
import { toDecision, toWorkload } from "./route.js";

// stages are what the parts of the pipeline are for.
const stages = {
  schedule: "what schedules and pauses state", learn: "what history knows of this hour", horizontal: "what each metric asks for",
  combine: "replicas and sizes together", limit: "how far and how soon the workload may move there",
};

// pod is the size of a pod in a view, as explain prints it.
function pod(size) {
  const containers = Object.entries(size.containers ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return containers.map(([name, r]) => [containers.length > 1 ? name : "", r.cpu, r.memory].filter(Boolean).join(" ")).join(", ");
}

function moveOf(a, b) {
  const same = pod(a) === pod(b);
  const text = (s) => (same ? String(s.replicas) : `${s.replicas} x ${pod(s)}`);
  return `${text(a)} → ${text(b)}`;
}

// tree is the steps by their stages, in their order.
function tree(d) {
  const groups = [];
  (d.view.steps ?? []).forEach((s, i) => {
    if (groups.at(-1)?.stage !== s.stage) groups.push({ stage: s.stage, steps: [] });
    groups.at(-1).steps.push([s, d.sums[i]]);
  });
  return h("ol", { class: "tree" }, groups.map((g) => h("li", {}, h("h3", {}, g.stage, h("span", { class: "quiet" }, " " + (stages[g.stage] ?? ""))),
    h("ol", {}, g.steps.map(([s, sum]) => h("li", { class: s.in.replicas === s.out.replicas && pod(s.in) === pod(s.out) ? "idle" : "acts" },
      h("span", { class: "move" }, moveOf(s.in, s.out)), " ", h("span", { class: "word" }, s.reason), " ", h("span", {}, s.message),
      sum && h("code", { class: "sum" }, sum), s.metric && facts(s.metric)))))));
}

function facts(m) {
  const pods = m.pods && Object.entries(m.pods).map(([k, v]) => `${v} ${k}`).join(", ");
  const same = m.low === m.high;
  const pairs = [["value", m.value], ["low", same ? null : m.low], [same ? "target" : "high", m.high], ["compared as", m.type], ["pods", pods]];
  return h("dl", { class: "facts" }, pairs.filter(([, v]) => v).map(([k, v]) => h("div", {}, h("dt", {}, k), h("dd", {}, v))));
}

// unknown says why something is not known: then nothing is said of it.
const unknown = (d) => `This is not known. ${d.missing ?? ""}`.trim();

// needed is what a metric, or the time, would have to be.
function needed(c) {
  if (c.none) return `no ${c.up ? "higher" : "lower"} value changes it`;
  return c.metric ? `${c.at} or ${c.up ? "more" : "less"}` : `in ${c.at}, if all else stays`;
}

// turns is what would change the decision.
function turns(d) {
  if (!d.changes.length) return h("p", {}, d.document ? "No metric has a value that could be another." : unknown(d));
  const row = (c) => h("tr", {}, h("th", { scope: "row" }, c.metric || "time alone"),
    h("td", {}, c.now || "–"), h("td", {}, needed(c)), h("td", {}, c.headline));
  return h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": "What would change this" }, h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, ["Metric", "Is", "Would have to be", "Then"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, d.changes.map(row))));
}

function pods(d) {
  if (!d.pods.length) return h("p", {}, d.document ? "No pods were seen." : unknown(d));
  return namedPods(d.pods);
}

// taken is a text to be taken away.
const taken = (title, text, name) => h("details", {}, h("summary", {}, title),
  h("div", { class: "bar-of-tools" }, copier("Copy", title, () => text), h("span", { class: "quiet" }, name)), h("pre", { tabindex: "0" }, text));

// seen says where what a status does not keep comes from.
const seen = (d) => "A status does not keep what its decision looked at. The arithmetic, the bounds, what would change it, the pods, " +
  `the script and the document are of what this page saw itself at ${moment(d.seen)}` +
  (d.rewound ? ", taken back to the moment of the decision; the engine then decides the same." : ", which leads to the same decision.");

const bounds = ({ min, minReason, max, maxReason }) => `Bounds: at least ${min} (${minReason}), at most ${max} (${maxReason})`;

const section = (title, label, ...children) => h("section", { "aria-label": label }, h("h2", {}, title), ...children);

// unmoved are the limits that did not hold the decision back.
const unmoved = (d) => d.unmoved.length > 0 && h("details", {}, h("summary", {}, `${d.unmoved.length} limits did not hold it back`),
  h("p", { class: "chips" }, d.unmoved.map((u) => h("span", { class: "chip" }, u))));

// around are the moment of the decision, and the ways to others.
function around(d, key) {
  const step = (label, keyName, at) => h("a", { class: "button", href: toDecision(key, at), "data-key": keyName }, label);
  const next = d.next || d.at + (seconds(d.view.recheckAfter) * 1000 || 15_000);
  return h("p", { class: "bar-of-tools" }, h("time", { datetime: iso(d.at) }, moment(d.at)), step("Previous", "p", d.at - 1), step("Next", "n", next),
    h("a", { href: toWorkload(key, { from: d.at - 3600_000, to: d.at + 3600_000 }) }, "two hours around it"));
}

export function decision(main, [namespace, name, text]) {
  const key = { namespace, name }, stop = new AbortController();
  main.append(h("p", { class: "quiet", role: "status" }, "Looking for the decision…"));

  const show = (d) => main.replaceChildren(h("h1", {}, d.headline), around(d, key),
    ...(d.seen ? [h("p", { class: "quiet", id: "seen" }, seen(d))] : []), ...(d.bounds.max ? [h("p", { class: "quiet" }, bounds(d.bounds))] : []),
    section("Steps", "Steps", tree(d), unmoved(d) || ""), section("What would change this?", "What would change this?", turns(d)),
    section("Pods that were seen", "Pods", pods(d)),
    section("Take it away", "Take it away", taken("Explanation", d.text, "as tidemark explain prints it"),
      d.script ? taken("Script", d.script, "a test: tidemark test FILE.scale") : h("p", { class: "quiet" }, d.missing),
      d.document ? taken("Document", d.document, "for tidemark decide -f FILE") : ""));

  ask(key, text === "last" ? undefined : text, stop.signal).then(show, (e) => {
    if (e.name === "AbortError") return;
    main.replaceChildren(h("p", { class: "problem", role: "alert" }, e.message), h("a", { href: toWorkload(key) }, "Back to the workload"));
  });
  return () => stop.abort();
}

// seconds reads a duration such as 1m30s.
function seconds(text) {
  const units = { h: 3600, m: 60, s: 1, ms: 0.001 };
  return [...(text ?? "").matchAll(/([\d.]+)(ms|h|m|s)/g)].reduce((sum, [, n, unit]) => sum + n * units[unit], 0);
}
