// What the lanes of a workload are, and what they say at one moment.
import { amount, bytes, inUnit, moment } from "./format.js";
import { beyond } from "./plots.js";

const dashed = [4, 3];

// at is the value of a line at or before a column.
function at(values, column) {
  for (let i = Math.min(column, values.length - 1); i >= 0; i--) if (values[i] !== null) return values[i];
  return null;
}

const some = (band) => band.max.some((v) => v !== null);

// lineOf makes the series of a line, if there is one.
const lineOf = (got) => (name, label, color, more = {}) => got.lines[name] && { label, ...got.lines[name], color, ...more };

function demand(got) {
  const line = lineOf(got), { demand: asked, capacity: had } = got.lines;
  if (!asked) return [];
  return [{ title: "Demand and capacity, in cores", format: amount, series: [
    had && beyond(asked.max, had.min), line("room", "with room for growth", "room", { dash: [2, 3] }),
    line("expected", "expected soon", "expected", { dash: dashed }),
    line("capacity", "capacity", "capacity"), line("demand", "demand", "demand")].filter(Boolean) }];
}

// replicas are wanted and serving within their bounds. A maximum that is far away is told,
// and not drawn: it would flatten the rest.
function replicas(got) {
  const line = lineOf(got), known = (n) => (got.lines[n]?.max ?? []).filter((v) => v !== null);
  const most = Math.max(1, ...known("want"), ...known("replicas"), ...known("min"));
  const near = known("max").filter((v) => v <= 2 * most + 4), far = known("max").find((v) => v > 2 * most + 4);
  const note = far ? `A maximum of ${amount(far)} is beyond the picture.` : "";
  return [{ title: "Replicas", note, format: amount, top: Math.max(most, ...near) * 1.08, series: [
    line("want", "wanted", "demand", { steps: true, width: 1.75 }), line("ready", "serving", "capacity", { steps: true }),
    line("min", "minimum", "expected", { steps: true, dash: dashed }),
    near.length > 0 && line("max", "maximum", "bad", { steps: true, dash: dashed })].filter(Boolean) }];
}

// sizes are what a pod requests, with a tick for each resize and each time out of memory.
function sizes(got) {
  const line = lineOf(got), happened = got.marks ?? [];
  const killed = happened.filter((m) => m.kind === "out of memory"), resized = happened.length - killed.length;
  const marks = happened.map((m) => ({ at: m.at / 1000, color: m.kind === "resized" ? "expected" : "bad" }));
  const last = killed.at(-1), note = [resized && `${resized} resizes`,
    last && `${killed.length} times out of memory, the last ${moment(last.at)}: ${last.words}`].filter(Boolean).join("; ");
  const varies = (n) => new Set((got.lines[n]?.max ?? []).filter((v) => v !== null)).size > 1;
  const out = [];
  if (got.lines.cpu) {
    const series = [line("cpu", "requested", "demand", { steps: true })];
    out.push({ title: "Size of a pod: cpu, in cores", note, format: amount, height: 100, marks, series });
  }
  if (varies("memory") || got.lines.memory && killed.length) {
    out.push({ title: "Size of a pod: memory", format: bytes, height: 100, marks, series: [line("memory", "requested", "room", { steps: true })] });
  }
  return out;
}

// metric is a metric in its band.
function metric(m) {
  const same = m.low.max.join() === m.high.max.join(), look = { color: "expected", dash: dashed, steps: true };
  return { title: `Metric ${m.name}`, format: (v) => inUnit(v, m.unit), height: 120, series: [
    { label: "value", ...m.value, color: "demand" }, some(m.low) && some(m.high) && !same && { label: "low", ...m.low, ...look },
    some(m.high) && { label: same ? "target" : "high", ...m.high, ...look }].filter(Boolean) };
}

// panelsOf are the lanes that there is something to draw in.
export const panelsOf = (got) => [...demand(got), ...replicas(got), ...sizes(got), ...got.metrics.filter((m) => some(m.value)).map(metric)];

// reasonsOf are the words of the ribbon.
export function reasonsOf(got) {
  const words = got.ribbon.reasons.filter((r) => r >= 0).map((r) => got.ribbon.words[r]);
  return [...new Set(words)].filter(Boolean);
}

// readingsOf are the names and values of all lanes in a column.
export function readingsOf(got, column) {
  const value = (n, format = amount) => got.lines[n] && format(at(got.lines[n].max, column));
  const word = (list) => {
    const i = at(list.map((v) => (v < 0 ? null : v)), column);
    return i === null ? "" : got.ribbon.words[i];
  };
  const by = (list) => { const w = word(list ?? []); return w && ` (${w})`; };
  const pairs = [
    ["demand", value("demand")], ["capacity", value("capacity")], ["expected", value("expected")], ["room", value("room")],
    ["wanted", value("want")], ["serving", value("ready")],
    ["bounds", got.lines.max && `${value("min")}${by(got.ribbon.mins)}..${value("max")}${by(got.ribbon.maxs)}`],
    ["cpu of a pod", value("cpu")], ["memory of a pod", value("memory", bytes)],
    ...got.metrics.map((m) => [m.name, inUnit(at(m.value.max, column), m.unit)]),
    ["why", word(got.ribbon.reasons)], ["limited by", word(got.ribbon.limits)],
  ];
  return pairs.filter(([, v]) => v);
}
