// A search for better numbers: each policy that it tried is a point of cost against
// unserved work.
import uPlot from "uplot";
import { h, say } from "./dom.js";
import { tune } from "./tries.js";
import { amount } from "./format.js";
import { color } from "./theme.js";

const words = (settings) => Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => `${k}=${v}`).join(", ") || "as it is";

// dots draws some of the points of a plot, each of a kind its own way.
const dots = (points, kinds) => (u, series) => {
  const g = u.ctx, ratio = devicePixelRatio || 1;
  g.save();
  [...points()].sort((a, b) => kinds(a).radius - kinds(b).radius).forEach((p) => {
    const kind = kinds(p), x = u.valToPos(p.cost, "x", true), y = u.valToPos(p.unserved, "y", true);
    g.beginPath();
    g.arc(x, y, kind.radius * ratio, 0, 2 * Math.PI);
    g.fillStyle = color(kind.color);
    g.fill();
    if (kind.ring) { g.lineWidth = 1.5 * ratio; g.strokeStyle = color("text"); g.stroke(); }
  });
  g.restore();
  return null;
};

export function tuning(key, edit, use) {
  let running = null, points = [], found = null, plot = null, chosen = null;
  const status = h("p", { class: "quiet", role: "status" }), place = h("div", { class: "plot scatter" }), list = h("div", {});
  const begin = h("button", { type: "button", click: () => (running ? running.abort() : go()) }, "Tune");
  const element = h("section", { "aria-label": "Tune" }, h("h2", {}, "Better numbers"),
    h("p", { class: "quiet" }, "A search tries other numbers of this object on three quarters of the last week, and checks what it found on the rest, as tidemark tune does. What lint warns of is never proposed."),
    h("div", { class: "bar-of-tools" }, begin, status), place, list);

  const on = (list, p) => list?.some((o) => o.yaml === p.yaml);
  const kind = (p) => {
    if (found && p.yaml === found.best.yaml) return { color: "expected", radius: 6, ring: true };
    if (!Object.keys(p.settings).length) return { color: "capacity", radius: 6, ring: true };
    return on(found?.front, p) ? { color: "demand", radius: 4.5 } : { color: "demand-soft", radius: 3 };
  };

  function draw() {
    plot?.destroy();
    plot = null;
    if (!points.length) { place.replaceChildren(); return; }
    const sorted = [...points].sort((a, b) => a.cost - b.cost);
    const axis = { stroke: color("quiet"), grid: { stroke: color("grid"), width: 1 }, ticks: { stroke: color("grid"), width: 1 }, font: "11px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", labelSize: 20 };
    const wide = (low, high) => { const room = (high - low || high || 1) * 0.06; return [Math.max(0, low - room), high + room]; };
    plot = new uPlot({
      width: Math.max(place.clientWidth, 200), height: 300, legend: { show: false }, padding: [8, 18, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      scales: { x: { time: false, range: (_u, a, b) => wide(a, b) }, y: { range: (_u, a, b) => wide(a ?? 0, b ?? 1) } },
      axes: [{ ...axis, size: 34, label: "billed core-hours" }, { ...axis, size: 58, label: "unserved, %", values: (_u, all) => all.map((v) => amount(v)) }],
      series: [{}, { points: { show: false }, paths: dots(() => sorted, kind) }],
      hooks: { ready: [(u) => {
        u.over.addEventListener("click", () => { const p = nearest(u, sorted); if (p) choose(p); });
        u.over.addEventListener("mousemove", () => { const p = nearest(u, sorted); u.over.title = p ? told(p) : ""; });
      }] },
    }, [sorted.map((p) => p.cost), sorted.map((p) => p.unserved)], place);
    plot.over.setAttribute("aria-hidden", "true");
  }

  const told = (p) => `${amount(p.cost)} core-hours, ${p.unserved.toFixed(3)} % unserved, ${p.changes} changes: ${words(p.settings)}`;

  function nearest(u, all) {
    const { left, top } = u.cursor;
    let best = null, least = 20 * 20;
    for (const p of all) {
      const d = (u.valToPos(p.cost, "x") - left) ** 2 + (u.valToPos(p.unserved, "y") - top) ** 2;
      if (d < least) { least = d; best = p; }
    }
    return best;
  }

  function choose(p) {
    chosen = p;
    listed();
    say(told(p));
  }

  // listed are the policies in words: those that nothing beats, and the one that was chosen.
  function listed() {
    if (!found && !chosen) { list.replaceChildren(); return; }
    const row = (p, label) => h("tr", {}, h("th", { scope: "row" }, label), h("td", {}, amount(p.cost)), h("td", {}, `${p.unserved.toFixed(3)} %`), h("td", {}, p.changes),
      h("td", {}, p.heldOut ? `${amount(p.heldOut.cost)}, ${p.heldOut.unserved.toFixed(3)} %` : "–"), h("td", { class: "wrap" }, words(p.settings)),
      h("td", {}, h("button", { type: "button", "aria-label": `Edit ${label}`, click: () => use(p.yaml) }, "Edit")));
    const rest = (found?.front ?? []).filter((p) => p.yaml !== found.best.yaml && Object.keys(p.settings).length);
    list.replaceChildren(h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": "Policies" }, h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, ["Policy", "Core-hours", "Unserved", "Changes", "On the rest", "Numbers", "Try"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, found && row(found.best, "best"), found && row(found.base, "as it is"), rest.map((p, i) => row(p, `unbeaten ${i + 1}`)), chosen && row(chosen, "chosen")))),
    ...(found?.warnings ?? []).map((w) => h("p", { class: "quiet" }, w)));
  }

  async function go() {
    const mine = running = new AbortController();
    points = [];
    found = chosen = null;
    begin.textContent = "Stop";
    status.textContent = "Searching…";
    listed();
    try {
      await tune({ ...key, ...edit(), evaluations: 60 }, mine.signal, (line) => {
        if (line.checked && !line.checked.valid) status.textContent = "This cannot be replayed: see the findings.";
        if (line.point) { points.push(line.point); status.textContent = `${points.length} policies tried`; soon(); }
        if (line.tuned) { found = line.tuned; status.textContent = `${found.evaluations} policies tried, ${found.refused} refused as invalid, ${found.warned} because lint warns of them. Objective: ${found.objective}`; }
      });
      draw();
      listed();
    } catch (e) {
      if (e.name !== "AbortError") status.textContent = e.message;
      else status.textContent += ": stopped";
    } finally {
      running = null;
      begin.textContent = "Tune";
    }
  }

  let due = 0;
  const soon = () => { due ||= setTimeout(() => { due = 0; draw(); }, 200); };

  const watch = new ResizeObserver(() => { if (plot && Math.abs(watch.width - place.clientWidth) > 1) { watch.width = place.clientWidth; draw(); } });
  watch.width = 0;
  watch.observe(place);
  return { element, draw, stop: () => { watch.disconnect(); clearTimeout(due); running?.abort(); plot?.destroy(); } };
}
