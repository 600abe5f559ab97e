// What if the object were another: an editor, and how the edited object would have
// done beside the present one and the best HPA.
import { h, copy, say } from "./dom.js";
import { object, recommend, tryOut, why as askWhy } from "./tries.js";
import { amount, moment } from "./format.js";
import { toDecision, toWorkload } from "./route.js";
import { lane } from "./plots.js";
import { onTheme } from "./theme.js";
import { diff, near } from "./diff.js";
import { tuning } from "./tuning.js";
import { state, listen } from "./state.js";
import { apply } from "./changes.js";

const roles = [["edited", "edited", "demand"], ["present", "present", "capacity"], ["hpa", "best HPA", "expected"]];
const pause = 250;
const hour = 3600_000;

// spell is a time in its two largest units.
function spell(ms) {
  const days = Math.floor(ms / 86400_000), hours = Math.round((ms % 86400_000) / hour);
  return days ? `${days} d${hours ? ` ${hours} h` : ""}` : `${hours} h`;
}

export function whatif(main, [namespace, name]) {
  const key = { namespace, name }, stop = new AbortController();
  let present = null, editor = null, running = null, due = 0, shown = "week", plots = [], range = null;
  // got is what is known of each part: how each role did, and where they differ.
  let got = new Map();

  const place = h("div", { class: "editor" });
  const note = h("p", { class: "quiet" });
  const status = h("p", { class: "quiet", role: "status" }, "Reading the object…");
  const found = h("div", { class: "findings" });
  const changes = h("div", {}), results = h("div", { class: "results" }), reasons = h("div", {});
  const button = (label, click, more) => h("button", { type: "button", click, ...more }, label);
  const took = async (b, text, what) => { b.textContent = (await copy(text, what)) ? "Copied" : "Select the text instead"; };
  // recommended asks for the edited object in mode Recommend, which decides and changes nothing.
  async function recommended(use) {
    try { await use(await recommend({ ...key, yaml: editor.text() }, stop.signal)); } catch (e) { if (e.name !== "AbortError") { applied.replaceChildren(h("span", { class: "problem" }, e.message)); say(e.message); } }
  }
  const tools = h("div", { class: "bar-of-tools", role: "toolbar", "aria-label": "Object" },
    button("As it is", () => { editor.set(present.yaml); say("The object as it is"); }),
    button("Copy", (e) => took(e.target, editor.text(), "The object")),
    button("Copy as Recommend", (e) => recommended((r) => took(e.target, r.yaml, "The object in mode Recommend")), { title: "The object in mode Recommend, which decides and changes nothing: for kubectl apply -f -" }));
  const applied = h("span", {}), asked = button("Apply as Recommend…", () => recommended((r) => apply(key, applied, r.spec)), { hidden: true });
  tools.append(asked, applied);
  // What can be applied is confirmed by what changes; where nothing may be changed, there is no button.
  const allowed = () => { asked.hidden = !state.about?.changes; };
  allowed();
  const search = tuning(key, () => ({ yaml: editor.text(), until: present.until }), (yaml) => { editor.set(yaml); say("The policy is in the editor"); });
  main.append(h("h1", {}, "What if ", h("span", { class: "namespace" }, namespace + "/"), name, " were another?"),
    h("div", { class: "beside" }, h("section", { "aria-label": "Object" }, tools, place, note, found, changes), h("section", { "aria-label": "Replays" }, status, results, reasons)), search.element);

  const failed = (e) => { if (e.name !== "AbortError") status.replaceChildren(h("span", { class: "problem" }, e.message)); };

  // soon replays after the last key.
  function soon() {
    clearTimeout(due);
    running?.abort();
    due = setTimeout(load, pause);
  }

  async function load() {
    running?.abort();
    const mine = running = new AbortController();
    const edited = editor.text(), began = performance.now(), done = [];
    drawChanges(edited);
    reasons.replaceChildren();
    status.textContent = "Replaying…";
    // Who knows the others already asks for the edited one alone.
    const alone = got.size > 0 && [...got.values()].every((p) => p.present && p.hpa);
    try {
      await tryOut({ ...key, yaml: edited, until: present.until, alone }, mine.signal, (line) => {
        if (line.checked) check(line.checked);
        if (line.ran) {
          part(line.ran.part)[line.ran.role] = line.ran;
          if (line.ran.role === "edited") { done.push(`${length(line.ran)} after ${((performance.now() - began) / 1000).toFixed(2)} s`); status.textContent = `Replayed: ${done.join(", ")}`; }
          draw();
        }
        if (line.differences) { part(line.differences.part).differences = line.differences; draw(); }
      });
      if (running === mine) say("Replayed");
    } catch (e) {
      if (!mine.signal.aborted) failed(e);
    }
  }

  const part = (n) => { if (!got.has(n)) got.set(n, {}); return got.get(n); };
  const length = (ran) => spell(Math.round((ran.step * ran.columns) / hour) * hour);

  function check(said) {
    editor.mark(said.findings);
    if (!said.valid) for (const p of got.values()) { delete p.edited; delete p.differences; }
    if (!said.valid) { status.textContent = "This cannot be replayed."; draw(); }
    found.replaceChildren(...(said.findings.length ? [h("ul", { "aria-label": "Findings" }, said.findings.map((f) => h("li", { class: f.severity },
      h("strong", {}, f.severity), " ", f.line ? h("a", { href: location.hash, click: (e) => { e.preventDefault(); editor.find(f.line); } }, `line ${f.line}`) : "", " ", f.rule && h("span", { class: "word" }, f.rule), " ",
      f.path && h("code", {}, f.path), " ", f.message, f.fix && h("span", { class: "quiet" }, " " + f.fix))))] : []),
    ...said.notes.map((n) => h("p", { class: "quiet" }, n)));
  }

  function drawChanges(edited) {
    const lines = diff(present.yaml, edited);
    const words = { "+": "added", "-": "removed" };
    if (lines.every(([sign]) => sign === " ")) { changes.replaceChildren(h("p", { class: "quiet" }, "This is the object as it is. Change something in it.")); return; }
    const open = changes.querySelector("details")?.open ?? true;
    changes.replaceChildren(h("details", { open }, h("summary", {}, "What is changed"), h("pre", { class: "diff", tabindex: "0" }, near(lines).map((l) => (l === null ? h("span", { class: "quiet" }, "⋯\n") :
      h("span", { class: words[l[0]] ?? "stays" }, `${l[0]} ${l[1]}\n`))))));
  }

  function draw() {
    for (const p of plots) p.destroy();
    plots = [];
    const parts = ["week", "weeks"].filter((n) => got.has(n) && roles.some(([r]) => got.get(n)[r]));
    if (!parts.includes(shown)) shown = parts[0];
    if (!shown) { shown = "week"; results.replaceChildren(); return; }
    const now = got.get(shown), any = now.present ?? now.edited ?? now.hpa;
    const chooser = h("div", { class: "bar-of-tools", role: "group", "aria-label": "Time" }, parts.map((n) => {
      const p = got.get(n), of = p.present ?? p.edited;
      return h("button", { type: "button", "aria-pressed": String(n === shown), click: () => { shown = n; range = null; draw(); } }, `The last ${length(of)}`);
    }), range && h("button", { type: "button", click: () => { range = null; draw(); } }, "All of it"));
    const drawing = h("div", { class: "lanes" });
    // The focus stays where it is while results come in.
    const focused = results.contains(document.activeElement) ? [...results.querySelectorAll("button, a")].indexOf(document.activeElement) : -1;
    results.replaceChildren(chooser, sheet(now), drawing, differences(now));
    if (focused >= 0) results.querySelectorAll("button, a")[focused]?.focus();
    const times = Array.from({ length: any.columns }, (_, i) => (any.from + i * any.step) / 1000);
    const all = [any.from / 1000, (any.from + any.columns * any.step) / 1000];
    const lines = (line, more) => roles.map(([r, label, color]) => now[r]?.lines[line] && now[r].columns === any.columns && { label, ...now[r].lines[line], color, ...more }).filter(Boolean).reverse();
    const demand = { label: "demand", ...any.lines.demand, color: "quiet" };
    panel(drawing, "Demand and what the pods can do, in cores", { times, all, series: [demand, ...lines("capacity", { edge: 0.25 })] });
    panel(drawing, "Replicas wanted", { times, all, series: lines("want", { steps: true }) });
  }

  function panel(drawing, title, { times, all, series }) {
    const at = h("div", { class: "plot" });
    drawing.append(h("section", { class: "lane", "aria-label": title }, h("h2", {}, title, h("span", { class: "legend" }, [...series].reverse().map((s) =>
      h("span", { class: "key" }, h("i", { style: { "--c": `var(--${s.color})` } }), s.label)))), at));
    plots.push(lane(at, { times, series, range: range ?? all, height: 170, format: amount, sync: `whatif ${namespace}/${name}`,
      onZoom: (a, b) => { range = [a / 1000, Math.max(b / 1000, a / 1000 + 300)]; draw(); }, onPick: (ms) => explain(Math.round(ms)) }));
    plots.at(-1).over.setAttribute("aria-hidden", "true");
  }

  // sheet is the score sheet, with the numbers that anyone has.
  function sheet(now) {
    const there = roles.filter(([r]) => now[r]);
    const titles = there[0] ? now[there[0][0]].numbers.map((n) => n.title).filter((_, i) => there.some(([r]) => now[r].numbers[i].shown)) : [];
    const cell = (r, title) => now[r].numbers.find((n) => n.title === title).text;
    const head = ([r, label, color]) => h("th", { scope: "col" }, h("span", { class: "key" }, h("i", { class: "block", style: { "--c": `var(--${color})` } }), r === "hpa" ? `${label}, ${now[r].name}` : label));
    return h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": "Score sheet" }, h("table", { class: "plain numbers" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "POLICY"), there.map(head))),
      h("tbody", {}, titles.map((t) => h("tr", {}, h("th", { scope: "row" }, t), there.map(([r]) => h("td", {}, cell(r, t))))))), now.hpa ? "" : h("p", { class: "quiet" }, "Looking for the best HPA in hindsight…"));
  }

  const decided = (d) => `${d.replicas}${d.cpu ? ` x ${amount(d.cpu)}` : ""} ${d.reason}${d.limitedBy ? `, limited by ${d.limitedBy}` : ""}`;

  function differences(now) {
    const d = now.differences;
    if (!d) return "";
    if (!d.times) return h("p", {}, "Both decide the same all the time.");
    return h("section", { "aria-label": "Where they differ" },
      h("h2", {}, d.times > d.largest.length ? `Where they differ most: ${d.largest.length} of ${d.times} times, ${amount(d.share)} % of the time` : `Where they differ: ${amount(d.share)} % of the time`),
      h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": "Times in which they differ" }, h("table", { class: "plain" },
        h("thead", {}, h("tr", {}, ["From", "For", "Core-hours", "Present, when furthest apart", "Edited", "Why"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", {}, d.largest.map((o) => h("tr", {}, h("th", { scope: "row" }, moment(o.from)), h("td", {}, minutes(o.until - o.from)), h("td", {}, (o.coreHours > 0 ? "+" : "") + amount(o.coreHours)),
          h("td", {}, decided(o.present)), h("td", {}, decided(o.edited)), h("td", {}, button("why?", () => explain(o.at), { "aria-label": `Why the edited object decides so at ${moment(o.at)}` }))))))));
  }

  const minutes = (ms) => (ms < 90 * 60_000 ? `${amount(ms / 60_000)} min` : `${amount(ms / hour)} h`);

  // explain shows what the edited object decides at a moment, and why.
  async function explain(at) {
    reasons.replaceChildren(h("p", { class: "quiet", role: "status" }, "Looking for the decision…"));
    try {
      const d = await askWhy({ ...key, yaml: editor.text(), until: present.until, at }, stop.signal);
      reasons.replaceChildren(h("section", { "aria-label": "Why" }, h("h2", { tabindex: "-1" }, `Edited, ${moment(d.at)}: ${d.headline}`), h("pre", { tabindex: "0" }, d.text),
        h("p", {}, h("a", { href: toDecision(key, at) }, "What the present object decided then"))));
      reasons.querySelector("h2").focus();
    } catch (e) {
      if (e.name !== "AbortError") reasons.replaceChildren(h("p", { class: "problem", role: "alert" }, e.message));
    }
  }

  // settled is the object once its demand does not grow by the second, as that of the
  // demo does at first.
  async function settled() {
    for (let before = await object(key, stop.signal); ;) {
      if (before.until - before.first >= 7 * 24 * hour) return before;
      await new Promise((go) => setTimeout(go, 500));
      const now = await object(key, stop.signal);
      if (now.until === before.until) return now;
      before = now;
    }
  }

  (async () => {
    const [got, schema, { edit }] = await Promise.all([settled(), fetch("/schema.json", { signal: stop.signal }).then((a) => a.json()), import("./editor.js")]);
    if (stop.signal.aborted) return;
    present = got;
    if (got.note) note.textContent = got.note;
    editor = edit(place, { text: present.yaml, schema, label: `Object ${namespace}/${name}`, onChange: soon });
    place.editor = editor;
    load();
  })().catch((e) => { if (e.name !== "AbortError") status.replaceChildren(h("span", { class: "problem", role: "alert" }, e.message), " ", h("a", { href: toWorkload(key) }, "Back to the workload")); });

  const watch = new ResizeObserver(() => { if (plots.length && Math.abs(watch.width - results.clientWidth) > 1) { watch.width = results.clientWidth; draw(); } });
  watch.width = 0;
  watch.observe(results);
  const quiet = onTheme(() => { draw(); search.draw(); });
  const deaf = listen(allowed);
  return () => { deaf(); quiet(); clearTimeout(due); running?.abort(); stop.abort(); search.stop(); watch.disconnect(); for (const p of plots) p.destroy(); editor?.close(); };
}
