// One workload over time: lanes with one axis, why from moment to moment, and the
// decisions that changed the size.
import { h, keeping, say } from "./dom.js";
import { lanes as ask } from "./api.js";
import { state, listen, keyText } from "./state.js";
import { moment } from "./format.js";
import { replace, toDecision } from "./route.js";
import { framed, redrawing } from "./lanes.js";
import { edge, gutter, lane } from "./plots.js";
import { countedPods, seenPods } from "./pods.js";
import { panelsOf, readingsOf, reasonsOf } from "./readings.js";
import { drawRibbon, hue } from "./ribbon.js";
import { onTheme } from "./theme.js";
import { changes as changesOf } from "./changes.js";

const hour = 3600_000, day = 24 * hour;
const spans = [["1 h", hour], ["6 h", 6 * hour], ["1 d", day], ["1 w", 7 * day], ["4 w", 28 * day]];
const least = 5 * 60_000;

// moves are the ways along the time: a label, its key, its sign, and the window that follows.
const moves = [
  ["Earlier", "ArrowLeft", "←", (a, b) => [a - (b - a) / 4, b - (b - a) / 4]],
  ["Later", "ArrowRight", "→", (a, b) => [a + (b - a) / 4, b + (b - a) / 4]],
  ["Closer", "+ =", "+", (a, b) => [a + (b - a) / 4, b - (b - a) / 4]],
  ["Further", "-", "−", (a, b) => [a - (b - a) / 2, b + (b - a) / 2]],
];

const hint = "Point at a lane to read all of them, or press , and . for the moments before and after. " +
  "A click opens the decision, and a drag zooms.";

// listed are the decisions that changed the size.
function listed(key, got) {
  const most = 200, newest = [...got.changes].reverse(), all = newest.length + got.leftOut;
  const part = newest.length > most || got.leftOut ? `The last ${Math.min(newest.length, most)} of ${all} decisions` : "Decisions";
  const title = all ? `${part} of this time that changed the size` : "No decision of this time changed the size.";
  const item = (c) => h("li", {}, h("a", { href: toDecision(key, c.at) }, moment(c.at)), " ", c.headline);
  return [h("h2", {}, title), h("ol", { class: "changes" }, newest.slice(0, most).map(item))];
}

// why is the ribbon with what its colors mean.
function why(words, { pick, read }) {
  const canvas = h("canvas", { class: "ribbon", role: "img", "aria-label": `Why, from moment to moment: ${words.join(", ")}`, click: pick, mousemove: read });
  const block = (w) => h("span", { class: "key" }, h("i", { class: "block", style: { "--c": `var(--${hue(w)})` } }), w);
  const limited = h("span", { class: "key" }, h("i", { class: "block hatched" }), "limited");
  return h("section", { class: "lane why", "data-words": words.join(), "aria-label": "Why" },
    h("h2", {}, "Why", h("span", { class: "legend" }, words.map(block), limited)), canvas);
}

export function workload(main, [namespace, name], query) {
  const key = { namespace, name }, id = keyText(key);
  let from = Number(query.get("from")) || 0, to = Number(query.get("to")) || 0;
  let span = to ? 0 : Number(query.get("span")) || day;
  let got = null, running = null, again = false, asked = 0;
  // reading is the moment that is read; it stays while time goes on.
  let reading = 0, times = [], range = [0, 1], plots = [], layout = "";

  const button = (text, click, more) => h("button", { type: "button", click, ...more }, text);
  const named = (label, keyName) => ({ "aria-label": label, title: label, "data-key": keyName });
  const buttons = spans.map(([text, ms]) => button(text, () => { span = ms; from = to = 0; load(); say(`The last ${text}`); }));
  const whole = () => { span = 0; from = got?.first ?? 0; to = (got?.last ?? 0) + 1; load(); };
  const shown = h("span", { class: "quiet", id: "window" });
  const toolbar = h("div", { class: "bar-of-tools", role: "toolbar", "aria-label": "Time" }, buttons,
    moves.map(([label, keyName, sign, change]) => button(sign, () => { shift(change); say(label); }, named(label, keyName))),
    button("‹", () => point(-1), named("Read the moment before", ",")), button("›", () => point(1), named("Read the moment after", ".")),
    button("All", whole, { "data-key": "0" }), shown);
  const about = h("div", { class: "about" }), list = h("div", {}), tools = h("div", {});
  const readout = h("output", { class: "readout", "aria-label": "Values under the cursor" }, h("span", { class: "quiet" }, hint));
  const drawing = h("div", { class: "lanes" });
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
    // Before the feed has said what time it is, all there is will do.
    const [a, b] = window_().map((t) => Math.max(0, Math.round(t)));
    try {
      const next = await ask(key, { from: a, to: b, columns: Math.min(4000, Math.max(200, drawing.clientWidth)) }, running.signal);
      // Of a cluster there may be minutes, which a day would hide.
      const seen = next.last - next.first;
      if (!got && !to && !query.get("span") && state.about?.source === "cluster" && seen < 6 * hour) {
        span = [hour / 4, hour, 6 * hour].find((s) => seen < s * 0.8) ?? 6 * hour;
        again = true;
      }
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

  function clear() {
    for (const p of plots) p.destroy();
    [plots, layout] = [[], ""];
    drawing.replaceChildren();
  }

  // paint draws the lanes. Those that are drawn already get other values, so that the
  // cursor, a drag and the focus stay.
  function paint() {
    const panels = panelsOf(got), look = (s) => [s.label, s.color, s.dash, s.min === s.max];
    const wanted = JSON.stringify([drawing.clientWidth, document.documentElement.dataset.theme, panels.map((p) => [p.title, p.series.map(look)])]);
    if (wanted === layout) panels.forEach((p, i) => plots[i].update({ times, range, ...p }));
    else {
      clear();
      layout = wanted;
      plots = panels.map(made);
    }
    panels.forEach((p, i) => { plots[i].note.textContent = p.note ?? ""; });
    ribbon(reasonsOf(got));
  }

  const zoom = (a, b) => { from = Math.round(a); to = Math.round(Math.max(b, a + least)); span = 0; load(); };
  const pick = (ms) => { location.hash = toDecision(key, Math.round(ms)); };

  function made(panel) {
    const note = h("p", { class: "quiet note" });
    const plot = lane(framed(drawing, "h2", panel.title, panel.series, note), { times, range, height: 150, sync: id, onZoom: zoom, onPick: pick, ...panel });
    plot.over.addEventListener("mousemove", () => { if (plot.cursor.idx !== null) read(got.from + plot.cursor.idx * got.step); });
    plot.note = note;
    plot.setCursor({ left: -10, top: 0 });
    return plot;
  }

  // ribbon draws why. Reasons come and go without the lanes being others.
  function ribbon(words) {
    const old = drawing.querySelector(".lane.why");
    const under = (e) => {
      const box = e.target.getBoundingClientRect(), [a, b] = range.map((t) => t * 1000);
      return a + ((b - a) * (e.clientX - box.left - gutter)) / (box.width - gutter - edge);
    };
    if (old?.dataset.words !== words.join()) {
      old?.remove();
      if (words.length) drawing.append(why(words, { pick: (e) => pick(under(e)), read: (e) => read(under(e)) }));
    }
    const canvas = drawing.querySelector("canvas.ribbon");
    if (canvas) drawRibbon(canvas, got, range[0] * 1000, range[1] * 1000);
  }

  function draw() {
    if (!got.columns) {
      clear();
      list.replaceChildren(h("p", {}, "Nothing has been decided yet."));
      return;
    }
    times = Array.from({ length: got.columns }, (_, i) => (got.from + i * got.step) / 1000);
    const [a, b] = to || span ? window_() : [got.first, got.last];
    range = [a / 1000, b / 1000];
    paint();
    if (reading) read(reading);
    keeping(list, () => list.replaceChildren(...listed(key, got)));
    if (got.problem) list.prepend(h("p", { class: "problem", role: "alert" }, got.problem));
    if (location.hash.startsWith("#/workload/")) replace(["workload", namespace, name], to ? { from, to } : { span: span === day ? "" : span });
    buttons.forEach((btn, i) => btn.setAttribute("aria-pressed", String(!to && span === spans[i][1])));
    shown.textContent = `${moment(a)} to ${moment(b)}, ${got.points.toLocaleString("en-US")} decisions`;
  }

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
    const begin = got.from + column * got.step, pairs = readingsOf(got, column);
    const text = JSON.stringify([begin, pairs]);
    if (readout.shown === text) return;
    readout.shown = text;
    keeping(readout, () => readout.replaceChildren(h("strong", {}, moment(begin)),
      ...pairs.map(([k, v]) => h("span", {}, h("span", { class: "quiet" }, k + " "), v)), h("a", { href: toDecision(key, begin) }, "its decision")));
  }

  function head() {
    const row = state.rows.get(id);
    if (row && state.about?.changes && !tools.firstChild) tools.append(changesOf(key));
    const text = row ? JSON.stringify([row.headline, row.why, row.replicas, row.ready, got?.pods]) : "";
    if (!row) about.replaceChildren(state.rows.size ? h("p", { class: "problem" }, "There is no such workload, or you may not see it.") : "");
    else if (about.shown !== text) {
      keeping(about, () => about.replaceChildren(h("p", { class: "headline" }, row.headline, " ", h("a", { href: toDecision(key, "last") }, "why?")),
        row.why ? h("p", { class: "problem" }, row.why) : "", got?.pods?.length ? seenPods(got.pods) : countedPods(row)));
    }
    about.shown = text;
  }

  let seen = -1, due = 0;
  // What is at its end moves on, but no more often than anyone can read.
  const later = () => { due ||= setTimeout(() => { due = 0; load(); }, Math.max(0, asked + 2000 - Date.now())); };
  const follow = () => {
    if (seen === state.version && got) return;
    seen = state.version;
    head();
    if (!got) load();
    else if (!to) later();
  };
  const stops = [listen(follow), onTheme(() => { if (got) draw(); }), redrawing(drawing, () => { if (got) draw(); })];
  if (state.about) follow();
  return () => { for (const s of stops) s(); clearTimeout(due); running?.abort(); for (const p of plots) p.destroy(); };
}
