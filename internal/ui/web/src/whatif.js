// What if the object were another: an editor, and how the edited object would have
// done beside the present one and the best HPA.
import { h, copier, keeping, say } from "./dom.js";
import { object, recommend, tryOut, why as askWhy } from "./tries.js";
import { amount, moment } from "./format.js";
import { toDecision, toWorkload } from "./route.js";
import { differences, rolesOf, sheet } from "./compared.js";
import { findings } from "./findings.js";
import { framed, redrawing } from "./lanes.js";
import { lane } from "./plots.js";
import { onTheme } from "./theme.js";
import { diff, near } from "./diff.js";
import { tuning } from "./tuning.js";
import { state, listen } from "./state.js";
import { apply } from "./changes.js";

const pause = 250;
const hour = 3600_000;

// spell is a time in its two largest units.
function spell(ms) {
  const days = Math.floor(ms / 86400_000), hours = Math.round((ms % 86400_000) / hour);
  return days ? `${days} d${hours ? ` ${hours} h` : ""}` : `${hours} h`;
}

const length = (ran) => spell(Math.round((ran.step * ran.columns) / hour) * hour);

// changed is what differs between the object as it is and as it was edited.
function changed(before, after, open) {
  const lines = diff(before, after), words = { "+": "added", "-": "removed" };
  if (lines.every(([sign]) => sign === " ")) return h("p", { class: "quiet" }, "This is the object as it is. Change something in it.");
  const line = (l) => (l === null ? h("span", { class: "quiet" }, "⋯\n") : h("span", { class: words[l[0]] ?? "stays" }, `${l[0]} ${l[1]}\n`));
  return h("details", { open }, h("summary", {}, "What is changed"), h("pre", { class: "diff", tabindex: "0" }, near(lines).map(line)));
}

// seriesOf are a line of all policies, the edited one on top.
function seriesOf(now, line, columns, more) {
  const there = rolesOf(now).filter(([r]) => now[r].lines[line] && now[r].columns === columns);
  return there.map(([r, label, color]) => ({ label, ...now[r].lines[line], color, ...more })).reverse();
}

// settled is the object once its demand does not grow by the second, as that of the
// demo does at first.
async function settled(key, signal) {
  for (let before = await object(key, signal); ;) {
    if (before.until - before.first >= 7 * 24 * hour) return before;
    await new Promise((go) => setTimeout(go, 1000));
    const now = await object(key, signal);
    if (now.until === before.until && now.until > now.first) return now;
    before = now;
  }
}

export function whatif(main, [namespace, name]) {
  const key = { namespace, name }, stop = new AbortController();
  let present = null, editor = null, running = null, due = 0, shown = "week", plots = [], range = null;
  // got is what is known of each part: how each role did, and where they differ.
  const got = new Map();

  const place = h("div", { class: "editor" });
  const note = h("p", { class: "quiet" });
  const status = h("p", { class: "quiet", role: "status" }, "Reading the object…");
  const found = h("div", { class: "findings" });
  const changes = h("div", {}), results = h("div", { class: "results" }), reasons = h("div", {}), applied = h("span", {});
  const button = (label, click, more) => h("button", { type: "button", click, ...more }, label);
  // recommended is the edited object in mode Recommend, which decides and changes nothing; null
  // where that could not be had, which is told.
  async function recommended() {
    try {
      return await recommend({ ...key, yaml: editor.text() }, stop.signal);
    } catch (e) {
      if (e.name === "AbortError") return null;
      applied.replaceChildren(h("span", { class: "problem" }, e.message));
      say(e.message);
      return null;
    }
  }
  const title = "The object in mode Recommend, which decides and changes nothing: for kubectl apply -f -";
  const applies = button("Apply as Recommend…", async () => {
    const r = await recommended();
    if (r) apply(key, applied, r.spec);
  }, { hidden: true });
  const tools = h("div", { class: "bar-of-tools", role: "toolbar", "aria-label": "Object" },
    button("As it is", () => { editor.set(present.yaml); say("The object as it is"); }),
    copier("Copy", "The object", () => editor.text()),
    copier("Copy as Recommend", "The object in mode Recommend", async () => (await recommended())?.yaml ?? null, { title }), applies, applied);
  // What can be applied is confirmed by what changes; where nothing may be changed, there is no button.
  const allowed = () => { applies.hidden = !state.about?.changes; };
  const search = tuning(key, () => ({ yaml: editor.text(), until: present.until }), (yaml) => { editor.set(yaml); say("The policy is in the editor"); });
  main.append(h("h1", {}, "What if ", h("span", { class: "namespace" }, namespace + "/"), name, " were another?"),
    h("div", { class: "beside" }, h("section", { "aria-label": "Object" }, tools, place, note, found, changes),
      h("section", { "aria-label": "Replays" }, status, results, reasons)), search.element);

  // soon replays after the last key.
  function soon() {
    clearTimeout(due);
    running?.abort();
    status.textContent = "Replaying…";
    due = setTimeout(load, pause);
  }

  const part = (n) => { if (!got.has(n)) got.set(n, {}); return got.get(n); };

  async function load() {
    running?.abort();
    const mine = running = new AbortController();
    const edited = editor.text(), began = performance.now(), done = [];
    changes.replaceChildren(changed(present.yaml, edited, changes.querySelector("details")?.open ?? true));
    reasons.replaceChildren();
    status.textContent = "Replaying…";
    // Who knows the others already asks for the edited one alone.
    const alone = got.size > 0 && [...got.values()].every((p) => p.present && p.hpa);
    const hear = ({ checked, ran, differences: differ }) => {
      if (checked) check(checked);
      if (ran) part(ran.part)[ran.role] = ran;
      if (differ) part(differ.part).differences = differ;
      if (ran?.role === "edited") {
        done.push(`${length(ran)} after ${((performance.now() - began) / 1000).toFixed(2)} s`);
        status.textContent = `Replayed: ${done.join(", ")}`;
      }
      if (ran || differ) draw();
    };
    try {
      await tryOut({ ...key, yaml: edited, until: present.until, alone }, mine.signal, hear);
      if (running === mine) say("Replayed");
    } catch (e) {
      if (!mine.signal.aborted) status.replaceChildren(h("span", { class: "problem" }, e.message));
    }
  }

  function check(said) {
    editor.mark(said.findings);
    found.replaceChildren(...(said.findings.length ? [findings(said.findings, editor.find)] : []), ...said.notes.map((n) => h("p", { class: "quiet" }, n)));
    if (said.valid) return;
    for (const p of got.values()) {
      delete p.edited;
      delete p.differences;
    }
    status.textContent = "This cannot be replayed.";
    draw();
  }

  // chooser is which part of the time is shown.
  function chooser(parts) {
    const choose = (n) => () => { shown = n; range = null; draw(); };
    const one = (n) => button(`The last ${length(got.get(n).present ?? got.get(n).edited)}`, choose(n), { "aria-pressed": String(n === shown) });
    return h("div", { class: "bar-of-tools", role: "group", "aria-label": "Time" }, parts.map(one), range && button("All of it", choose(shown)));
  }

  function draw() {
    for (const p of plots) p.destroy();
    plots = [];
    const parts = ["week", "weeks"].filter((n) => got.get(n)?.present ?? got.get(n)?.edited);
    if (!parts.includes(shown)) shown = parts[0] ?? "week";
    if (!parts.length) { results.replaceChildren(); return; }
    const now = got.get(shown), drawing = h("div", { class: "lanes" });
    // The focus stays where it is while results come in.
    keeping(results, () => results.replaceChildren(chooser(parts), sheet(now), drawing, differences(now.differences, explain)));
    lanes(drawing, now);
  }

  function lanes(drawing, now) {
    const any = now.present ?? now.edited, { from, step, columns } = any;
    const times = Array.from({ length: columns }, (_, i) => (from + i * step) / 1000), all = [from / 1000, (from + columns * step) / 1000];
    const onZoom = (a, b) => { range = [a / 1000, Math.max(b / 1000, a / 1000 + 300)]; draw(); };
    const panel = (title, series) => plots.push(lane(framed(drawing, "h2", title, [...series].reverse()), { times, series, range: range ?? all,
      height: 170, format: amount, sync: `whatif ${namespace}/${name}`, onZoom, onPick: (ms) => explain(Math.round(ms)) }));
    panel("Demand and what the pods can do, in cores",
      [{ label: "demand", ...any.lines.demand, color: "quiet" }, ...seriesOf(now, "capacity", columns, { edge: 0.25 })]);
    panel("Replicas wanted", seriesOf(now, "want", columns, { steps: true }));
  }

  // explain shows what the edited object decides at a moment, and why.
  async function explain(at) {
    reasons.replaceChildren(h("p", { class: "quiet", role: "status" }, "Looking for the decision…"));
    try {
      const d = await askWhy({ ...key, yaml: editor.text(), until: present.until, at }, stop.signal);
      reasons.replaceChildren(h("section", { "aria-label": "Why" }, h("h2", { tabindex: "-1" }, `Edited, ${moment(d.at)}: ${d.headline}`),
        h("pre", { tabindex: "0" }, d.text), h("p", {}, h("a", { href: toDecision(key, at) }, "What the present object decided then"))));
      reasons.querySelector("h2").focus();
    } catch (e) {
      if (e.name !== "AbortError") reasons.replaceChildren(h("p", { class: "problem", role: "alert" }, e.message));
    }
  }

  async function begin() {
    const schema = fetch("/schema.json", { signal: stop.signal }).then((a) => a.json());
    const [object, known, { edit }] = await Promise.all([settled(key, stop.signal), schema, import("./editor.js")]);
    if (stop.signal.aborted) return;
    present = object;
    note.textContent = object.note ?? "";
    editor = edit(place, { text: present.yaml, schema: known, label: `Object ${namespace}/${name}`, onChange: soon });
    place.editor = editor;
    load();
  }

  begin().catch((e) => {
    if (e.name === "AbortError") return;
    status.replaceChildren(h("span", { class: "problem", role: "alert" }, e.message), " ", h("a", { href: toWorkload(key) }, "Back to the workload"));
  });
  allowed();
  const stops = [redrawing(results, draw), onTheme(() => { draw(); search.draw(); }), listen(allowed)];
  return () => {
    for (const s of stops) s();
    clearTimeout(due);
    running?.abort();
    stop.abort();
    search.stop();
    for (const p of plots) p.destroy();
    editor?.close();
  };
}
