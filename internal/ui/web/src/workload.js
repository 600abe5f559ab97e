// One workload over time: lanes with one axis, why from moment to moment, and the
// decisions that changed the size.
import { h, keeping, say } from "./dom.js";
import { lanes as ask } from "./api.js";
import { state, listen, keyText } from "./state.js";
import { amount, bytes, inUnit, moment } from "./format.js";
import { replace, toDecision } from "./route.js";
import { edge, gutter, lane } from "./plots.js";
import { drawRibbon, hue } from "./ribbon.js";
import { onTheme } from "./theme.js";
import { changes as changesOf } from "./changes.js";

const hour = 3600_000, day = 24 * hour;
const spans = [["1 h", hour], ["6 h", 6 * hour], ["1 d", day], ["1 w", 7 * day], ["4 w", 28 * day]];
const least = 5 * 60_000;

// last is the value of a line at or before a column.
function at(values, column) {
  for (let i = Math.min(column, values.length - 1); i >= 0; i--) if (values[i] !== null) return values[i];
  return null;
}

// pods shows each pod as a square, as far as that can be seen.
function pods(row, seen) {
  if (seen?.length) {
    const by = Map.groupBy(seen, (p) => p.state), text = [...by].map(([state, list]) => `${list.length} ${state}`).join(", ");
    return h("p", { class: "pods", role: "img", "aria-label": `Pods: ${text}` },
      seen.slice(0, 400).map((p) => h("span", { class: `pod ${p.state.replaceAll(" ", "-")}`, title: `${p.name}: ${p.words}` })), h("span", { class: "quiet" }, ` ${text}`));
  }
  if (row.ready < 0) return h("p", { class: "quiet" }, `${row.replicas} pods`);
  const most = 200, all = Math.max(row.replicas, row.ready);
  const square = (kind) => h("span", { class: `pod ${kind}`, "aria-hidden": "true" });
  return h("p", { class: "pods", role: "img", "aria-label": `${row.ready} of ${row.replicas} pods serve` },
    Array.from({ length: Math.min(all, most) }, (_, i) => square(i < row.ready ? "serving" : "starting")),
    h("span", { class: "quiet" }, ` ${row.ready} of ${row.replicas} pods serve`));
}

export function workload(main, [namespace, name], query) {
  const key = { namespace, name }, id = keyText(key);
  let from = Number(query.get("from")) || 0, to = Number(query.get("to")) || 0;
  let span = to ? 0 : Number(query.get("span")) || day;
  let got = null, plots = [], running = null, again = false, asked = 0;

  const about = h("div", { class: "about" });
  const buttons = spans.map(([text, ms]) => h("button", { type: "button", click: () => { span = ms; from = to = 0; load(); say(`The last ${text}`); } }, text));
  const move = (label, keyName, change) => h("button", { type: "button", "aria-label": label, "data-key": keyName, title: label, click: () => { shift(change); say(label); } }, { ArrowLeft: "←", ArrowRight: "→", "+": "+", "-": "−" }[keyName.split(" ")[0]]);
  const look = (label, keyName, by) => h("button", { type: "button", "aria-label": label, "data-key": keyName, title: label, click: () => point(by) }, { ",": "‹", ".": "›" }[keyName]);
  const toolbar = h("div", { class: "bar-of-tools", role: "toolbar", "aria-label": "Time" }, buttons,
    move("Earlier", "ArrowLeft", (a, b) => [a - (b - a) / 4, b - (b - a) / 4]), move("Later", "ArrowRight", (a, b) => [a + (b - a) / 4, b + (b - a) / 4]),
    move("Closer", "+ =", (a, b) => [a + (b - a) / 4, b - (b - a) / 4]), move("Further", "-", (a, b) => [a - (b - a) / 2, b + (b - a) / 2]),
    look("Read the moment before", ",", -1), look("Read the moment after", ".", 1),
    h("button", { type: "button", "data-key": "0", click: () => { span = 0; from = got?.first ?? 0; to = (got?.last ?? 0) + 1; load(); } }, "All"),
    h("span", { class: "quiet", id: "window" }));
  const readout = h("output", { class: "readout", "aria-label": "Values under the cursor" });
  const drawing = h("div", { class: "lanes" });
  const list = h("div", {}), tools = h("div", {});
  main.append(h("h1", {}, h("span", { class: "namespace" }, namespace + "/"), name), about, tools, toolbar, readout, drawing, list);

  function window_() {
    const now = state.rows.get(id) ? state.about?.now ?? 0 : got?.last ?? 0;
    return to ? [from, to] : [now - span, now];
  }

  function shift(change) {
    let [a, b] = change(...window_());
    if (b - a < least) { const middle = (a + b) / 2; [a, b] = [middle - least / 2, middle + least / 2]; }
    from = Math.max(0, Math.round(a));
    to = Math.round(b);
    span = 0;
    load();
  }

  async function load() {
    if (running) { again = true; return; }
    again = false;
    running = new AbortController();
    asked = Date.now();
    const [a, b] = window_();
    try {
      // Before the feed has said what time it is, all there is will do.
      const next = await ask(key, { from: Math.max(0, Math.round(a)), to: Math.max(0, Math.round(b)), columns: Math.min(4000, Math.max(200, drawing.clientWidth)) }, running.signal);
      // Of a cluster there may be minutes, which a day would hide.
      const short = !got && !to && !query.get("span") && state.about?.source === "cluster" && next.last - next.first < 6 * hour;
      if (short) { span = [hour / 4, hour, 6 * hour].find((s) => next.last - next.first < s * 0.8) ?? 6 * hour; again = true; }
      got = next;
      draw();
      if (got.pods) head();
    } catch (e) {
      if (e.name !== "AbortError") list.replaceChildren(h("p", { class: "problem", role: "alert" }, e.message));
    } finally {
      running = null;
    }
    if (again) load();
  }

  // panels are what is to be drawn; what is drawn already gets other values, so that the
  // cursor, a drag and the focus stay.
  let panels = [], layout = "";
  const panel = (title, note, spec) => panels.push({ title, note, spec });

  function paint(words) {
    const wanted = JSON.stringify([drawing.clientWidth, document.documentElement.dataset.theme, panels.map((p) => [p.title, p.spec.series.map((s) => [s.label, s.color, s.dash, s.min === s.max])])]);
    if (wanted === layout) {
      panels.forEach((p, i) => { plots[i].update({ times, range, ...p.spec }); plots[i].note.textContent = p.note ?? ""; });
    } else {
      layout = wanted;
      for (const p of plots) p.destroy();
      drawing.replaceChildren();
      plots = panels.map(made);
    }
    // Reasons come and go without the lanes being others.
    const why = drawing.querySelector(".lane.why");
    if (why?.dataset.words !== words.join()) {
      why?.remove();
      ribbon(words);
    }
    const canvas = drawing.querySelector("canvas.ribbon");
    if (canvas) drawRibbon(canvas, got, range[0] * 1000, range[1] * 1000);
  }

  function made({ title, note, spec }) {
    const place = h("div", { class: "plot" }), words = h("p", { class: "quiet note" }, note ?? "");
    drawing.append(h("section", { class: "lane", "aria-label": title }, h("h2", {}, title, h("span", { class: "legend" }, spec.series.filter((s) => s.label).map((s) =>
      h("span", { class: "key" }, h("i", { class: s.dash ? "dashed" : null, style: { "--c": `var(--${s.color})` } }), s.label)))), place, words));
    const plot = lane(place, { times, range, height: 150, sync: id, onZoom: (a, b) => { from = Math.round(a); to = Math.round(Math.max(b, a + least)); span = 0; load(); }, onPick: pick, ...spec });
    plot.over.setAttribute("aria-hidden", "true");
    plot.over.addEventListener("mousemove", () => { if (plot.cursor.idx !== null) read(got.from + plot.cursor.idx * got.step); });
    plot.note = words;
    plot.setCursor({ left: -10, top: 0 });
    return plot;
  }

  let times = [], range = [0, 1];
  const pick = (ms) => { location.hash = toDecision(key, Math.round(ms)); };

  function draw() {
    panels = [];
    if (!reading) readout.replaceChildren(h("span", { class: "quiet" }, "Point at a lane to read all of them, or press , and . for the moments before and after. A click opens the decision, and a drag zooms."));
    if (!got.columns) { for (const p of plots) p.destroy(); plots = []; layout = ""; drawing.replaceChildren(); list.replaceChildren(h("p", {}, "Nothing has been decided yet.")); return; }
    times = Array.from({ length: got.columns }, (_, i) => (got.from + i * got.step) / 1000);
    const [a, b] = to || span ? window_() : [got.first, got.last];
    range = [a / 1000, b / 1000];
    const has = (n) => got.lines[n];
    const line = (n, label, color, more = {}) => has(n) && { label, min: got.lines[n].min, max: got.lines[n].max, color, ...more };
    const steps = { steps: true };
    const d = has("demand"), c = has("capacity");
    if (d) {
      const beyond = c && { min: d.max.map((v, i) => (v === null || c.min[i] === null ? null : Math.min(v, c.min[i]))), max: d.max, color: "demand", band: "bad", width: 0, edge: 0 };
      panel("Demand and capacity, in cores", null, { format: amount, series: [beyond, line("room", "with room for growth", "room", { dash: [2, 3] }),
        line("expected", "expected soon", "expected", { dash: [4, 3] }), line("capacity", "capacity", "capacity"), line("demand", "demand", "demand")].filter(Boolean) });
    }
    // A maximum that is far away is told, and not drawn: it would flatten the rest.
    const known = (n) => (has(n)?.max ?? []).filter((v) => v !== null);
    const most = Math.max(1, ...known("want"), ...known("replicas"), ...known("min"));
    const near = known("max").filter((v) => v <= 2 * most + 4), far = known("max").find((v) => v > 2 * most + 4);
    panel("Replicas", far ? `A maximum of ${amount(far)} is beyond the picture.` : null, { format: amount, top: Math.max(most, ...near) * 1.08, series: [
      line("want", "wanted", "demand", { ...steps, width: 1.75 }), line("ready", "serving", "capacity", steps), line("min", "minimum", "expected", { ...steps, dash: [4, 3] }),
      near.length > 0 && line("max", "maximum", "bad", { ...steps, dash: [4, 3] })].filter(Boolean) });
    const happened = got.marks ?? [], killed = happened.filter((m) => m.kind === "out of memory"), marks = happened.map((m) => ({ at: m.at / 1000, color: m.kind === "resized" ? "expected" : "bad" }));
    const told = [marks.length > killed.length && `${marks.length - killed.length} resizes`, killed.length && `${killed.length} times out of memory, the last ${moment(killed.at(-1).at)}: ${killed.at(-1).words}`].filter(Boolean).join("; ");
    if (has("cpu")) panel("Size of a pod: cpu, in cores", told || null, { format: amount, height: 100, marks, series: [line("cpu", "requested", "demand", steps)] });
    if (varies("memory") || has("memory") && killed.length) panel("Size of a pod: memory", null, { format: bytes, height: 100, marks, series: [line("memory", "requested", "room", steps)] });
    for (const m of got.metrics) {
      const some = (band) => band.max.some((v) => v !== null);
      if (!some(m.value)) continue;
      panel(`Metric ${m.name}`, null, { format: (v) => inUnit(v, m.unit), height: 120, series: [{ label: "value", ...m.value, color: "demand" },
        some(m.low) && some(m.high) && m.low.max.join() !== m.high.max.join() && { label: "low", ...m.low, color: "expected", dash: [4, 3], ...steps },
        some(m.high) && { label: m.low.max.join() === m.high.max.join() ? "target" : "high", ...m.high, color: "expected", dash: [4, 3], ...steps }].filter(Boolean) });
    }
    paint([...new Set(got.ribbon.reasons.filter((r) => r >= 0).map((r) => got.ribbon.words[r]))].filter(Boolean));
    if (reading) read(reading);
    keeping(list, changes);
    if (got.problem) list.prepend(h("p", { class: "problem", role: "alert" }, got.problem));
    if (location.hash.startsWith("#/workload/")) replace(["workload", namespace, name], to ? { from, to } : { span: span === day ? "" : span });
    buttons.forEach((btn, i) => btn.setAttribute("aria-pressed", String(!to && span === spans[i][1])));
    toolbar.querySelector("#window").textContent = `${moment(a)} to ${moment(b)}, ${got.points.toLocaleString("en-US")} decisions`;
  }

  const varies = (n) => got.lines[n] && new Set(got.lines[n].max.filter((v) => v !== null)).size > 1;

  function ribbon(words) {
    if (!words.length) return;
    const under = (e) => {
      const box = canvas.getBoundingClientRect(), [a, b] = range.map((t) => t * 1000);
      return a + ((b - a) * (e.clientX - box.left - gutter)) / (box.width - gutter - edge);
    };
    const canvas = h("canvas", { class: "ribbon", role: "img", "aria-label": `Why, from moment to moment: ${words.join(", ")}`,
      click: (e) => pick(under(e)), mousemove: (e) => read(under(e)) });
    drawing.append(h("section", { class: "lane why", "data-words": words.join(), "aria-label": "Why" }, h("h2", {}, "Why", h("span", { class: "legend" },
      words.map((w) => h("span", { class: "key" }, h("i", { class: "block", style: { "--c": `var(--${hue(w)})` } }), w)), h("span", { class: "key" }, h("i", { class: "block hatched" }), "limited"))), canvas));
  }

  // reading is the moment that is read; it stays while time goes on.
  let reading = 0;

  // point reads the moment before or after, as the mouse does.
  function point(by) {
    if (!got?.columns) return;
    const last = got.columns - 1, now = reading ? Math.floor((reading - got.from) / got.step) : last + 1;
    const column = Math.max(0, Math.min(last, now + by));
    read(got.from + column * got.step);
    for (const p of plots) p.setCursor({ left: p.valToPos(times[column], "x"), top: 10 }, false);
  }

  // read shows all lanes at one moment.
  function read(ms) {
    const column = Math.floor((ms - got.from) / got.step);
    if (!(column >= 0 && column < got.columns)) return;
    reading = ms;
    const value = (n, format = amount) => got.lines[n] && format(at(got.lines[n].max, column));
    const word = (list) => { const i = at(list.map((v) => (v < 0 ? null : v)), column); return i === null ? "" : got.ribbon.words[i]; };
    const by = (list) => { const w = word(list ?? []); return w && ` (${w})`; };
    const pairs = [["demand", value("demand")], ["capacity", value("capacity")], ["expected", value("expected")], ["room", value("room")], ["wanted", value("want")], ["serving", value("ready")],
      ["bounds", got.lines.max && `${value("min")}${by(got.ribbon.mins)}..${value("max")}${by(got.ribbon.maxs)}`], ["cpu of a pod", value("cpu")], ["memory of a pod", value("memory", bytes)],
      ...got.metrics.map((m) => [m.name, inUnit(at(m.value.max, column), m.unit)]), ["why", word(got.ribbon.reasons)], ["limited by", word(got.ribbon.limits)]];
    const text = JSON.stringify([column, got.from, pairs]);
    if (readout.shown === text) return;
    readout.shown = text;
    keeping(readout, () => readout.replaceChildren(h("strong", {}, moment(got.from + column * got.step)), ...pairs.filter(([, v]) => v).map(([k, v]) => h("span", {}, h("span", { class: "quiet" }, k + " "), v)),
      h("a", { href: toDecision(key, got.from + column * got.step) }, "its decision")));
  }

  function changes() {
    const most = 200, newest = [...got.changes].reverse();
    const text = newest.length + got.leftOut === 0 ? "No decision of this time changed the size." :
      newest.length > most || got.leftOut ? `The last ${Math.min(newest.length, most)} of ${newest.length + got.leftOut} decisions of this time that changed the size` : "Decisions of this time that changed the size";
    list.replaceChildren(h("h2", {}, text), h("ol", { class: "changes" }, newest.slice(0, most).map((c) => h("li", {}, h("a", { href: toDecision(key, c.at) }, moment(c.at)), " ", c.headline))));
  }

  function head() {
    const row = state.rows.get(id);
    if (row && state.about?.changes && !tools.firstChild) tools.append(changesOf(key));
    if (!row) { about.shown = ""; about.replaceChildren(state.rows.size ? h("p", { class: "problem" }, "There is no such workload, or you may not see it.") : ""); return; }
    const text = JSON.stringify([row.headline, row.why, row.replicas, row.ready, got?.pods]);
    if (about.shown === text) return;
    about.shown = text;
    keeping(about, () => about.replaceChildren(h("p", { class: "headline" }, row.headline, " ", h("a", { href: toDecision(key, "last") }, "why?")),
      ...(row.why ? [h("p", { class: "problem" }, row.why)] : []), pods(row, got?.pods)));
  }

  let seen = -1;
  const follow = () => {
    if (seen === state.version && got) return;
    const first = !got;
    seen = state.version;
    head();
    // What is at its end moves on, but no more often than anyone can read.
    if (first) load();
    else if (!to) later();
  };
  let due = 0;
  const later = () => { due ||= setTimeout(() => { due = 0; load(); }, Math.max(0, asked + 2000 - Date.now())); };
  const watch = new ResizeObserver(() => { if (got && Math.abs(watch.width - drawing.clientWidth) > 1) { watch.width = drawing.clientWidth; draw(); } });
  watch.width = drawing.clientWidth;
  watch.observe(drawing);
  const stops = [listen(follow), onTheme(() => { layout = ""; if (got) draw(); })];
  if (state.about) follow();
  return () => { for (const s of stops) s(); clearTimeout(due); running?.abort(); watch.disconnect(); for (const p of plots) p.destroy(); };
}
