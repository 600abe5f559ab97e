// Panels of bands over time, below one another on one axis that can be zoomed and moved. They
// know nothing of policies: whoever uses them says what the panels are, what stands below them,
// and what happens at a moment that is pointed at. A band is [[least...], [most...]], [[all...]]
// where both are the same, or one number for all columns; null is a gap.
import { beyond, edge as right, gutter as left, lane } from "../../../../ui/web/src/plots.js";

export const bands = {
  least: (b, i) => (Array.isArray(b) ? b[0][i] : b),
  most: (b, i) => (Array.isArray(b) ? (b[1] || b[0])[i] : b),
  varies: (b) => Array.isArray(b),
  known: (b) => b !== null && b !== undefined,
  peak: (b) => (Array.isArray(b) ? (b[1] || b[0]).reduce((m, v) => Math.max(m, v ?? 0), 0) : b ?? 0),
};

export const svgNode = (parent, name, attrs = {}, text) => {
  const el = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attrs) el.setAttribute(k, attrs[k]);
  if (text !== undefined) el.textContent = text;
  return parent.appendChild(el);
};
export const htmlNode = (parent, name, attrs = {}, text) => {
  const el = document.createElement(name);
  for (const k in attrs) el.setAttribute(k, attrs[k]);
  if (text !== undefined) el.textContent = text;
  return parent.appendChild(el);
};
export const numberText = (v) => (v === null || v === undefined ? "–" : Math.abs(v) >= 100 ? v.toFixed(0) : Number(v.toPrecision(3)).toString());

const round1 = (v) => Math.round(v * 10) / 10;

// layers are the ways to draw a layer, each by its series: demand from zero, a goal with its
// edges, a band with its line, and what is lost. Of the columns, hi, lo and middle are asked for.
const layers = {
  area: (l, of) => { const hi = of.hi(l.band); return [{ min: hi, max: hi, color: "demand", fill: "area", width: 1, steps: true }]; },
  goal: (l, of) => [{ min: of.lo(l.low), max: of.hi(l.band), color: "accent", band: "band", width: 1, edge: 1, dash: [4, 3], steps: true }],
  band: (l, of) => {
    const middle = of.middle(l.band);
    return [{ min: of.lo(l.band), max: of.hi(l.band), color: l.color, share: 0.28, width: 0, edge: 0, steps: true },
      { min: middle, max: middle, color: l.color, width: 1.7, steps: true }];
  },
  lost: (l, of) => [{ ...beyond(of.hi(l.band), of.lo(l.low)), steps: true }],
};

// newPanels draws panels into a host. Of how: start, step and columns of time; panels() with title,
// note, unit, height and layers; below(host) to draw beneath them; point(column, event), unpoint(),
// and moved(from, to) when what is seen has changed.
export const newPanels = (host, how) => {
  const columns = Math.max(1, how.columns), start = how.start, end = start + columns * how.step;
  const shortest = Math.min(end - start, Math.max(8 * how.step, 60e3));
  let from = start, to = end, width = 0, crosses = [], plots = [];
  const x = (ms) => round1(left + ((ms - from) / (to - from)) * (width - left - right));
  const timeAt = (i) => start + i * how.step;
  const inside = (px) => px >= left && px <= width - right;
  const momentAt = (px) => from + ((px - left) / (width - left - right)) * (to - from);

  // seen brings a band into as few pieces as there are dots on the screen, each with the least and the most.
  const seen = (b) => {
    const first = Math.max(0, Math.floor((from - start) / how.step)), last = Math.min(columns, Math.ceil((to - start) / how.step));
    const each = Math.max(1, Math.ceil((last - first) / Math.max(120, width - left - right))), out = [];
    for (let i = first; i < last; i += each) {
      let lo = null, hi = null;
      for (let j = i; j < Math.min(last, i + each); j++) {
        const l = bands.least(b, j), m = bands.most(b, j);
        if (m === null || m === undefined) continue;
        lo = lo === null ? l : Math.min(lo, l);
        hi = hi === null ? m : Math.max(hi, m);
      }
      out.push({ from: timeAt(i) / 1000, to: timeAt(Math.min(last, i + each)) / 1000, lo, hi });
    }
    return out;
  };

  const drawPanel = (p) => {
    const box = htmlNode(host, "div", { class: "panel" });
    htmlNode(htmlNode(box, "h3", {}, p.title), "small", {}, p.note);
    const runs = p.layers.filter((l) => l.run !== undefined).map((l) => l.run).join(" ");
    const chart = htmlNode(box, "div", { class: "chart", role: "img", "aria-label": p.title, "data-runs": runs });
    const known = new Map(), pieces = (b) => { if (!known.has(b)) known.set(b, seen(b)); return known.get(b); };
    // A value holds until the end of its piece, so the last one is there once more.
    const column = (b, of) => { const all = pieces(b).map(of); return [...all, all.at(-1)]; };
    const of = {
      hi: (b) => column(b, (s) => s.hi), lo: (b) => column(b, (s) => s.lo),
      middle: (b) => column(b, (s) => (s.hi === null ? null : (s.hi + s.lo) / 2)),
    };
    plots.push(lane(chart, {
      times: [...pieces(0).map((s) => s.from), pieces(0).at(-1).to], series: p.layers.flatMap((l) => layers[l.as](l, of)),
      range: [from / 1000, to / 1000], height: p.height, format: (v) => numberText(v) + (p.unit === "%" ? " %" : ""),
      top: (p.layers.reduce((m, l) => Math.max(m, bands.peak(l.band)), 0) || 1) * 1.08,
    }));
    crosses.push(htmlNode(chart, "div", { class: "cross off" }));
  };
  const cross = (px) => crosses.forEach((c) => { c.classList.toggle("off", px === null); if (px !== null) c.style.left = px + "px"; });
  const draw = () => {
    width = Math.max(280, Math.floor(host.clientWidth));
    plots.forEach((p) => p.destroy());
    host.replaceChildren();
    crosses = [];
    plots = [];
    how.panels().forEach(drawPanel);
    how.below(host);
    how.moved(from, to, from > start || to < end);
  };
  // view shows a part of the time, as far as there is any; at least a few columns.
  let waiting = false;
  const view = (a, z) => {
    const span = Math.min(end - start, Math.max(shortest, z - a)), middle = (a + z) / 2;
    from = Math.min(Math.max(start, Math.round(middle - span / 2)), end - span);
    to = from + span;
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
  const zoom = (factor, around = (from + to) / 2) => view(around - (around - from) * factor, around + (to - around) * factor);
  const move = (share) => { const by = Math.min(Math.max((to - from) * share, start - from), end - to); view(from + by, to + by); };

  // Pointers: a mouse chooses a part by dragging, a finger moves what is seen, two of them zoom.
  const down = new Map();
  const xOf = (e) => e.clientX - host.getBoundingClientRect().left;
  let chosen = null;
  const choose = (a, z) => {
    for (const chart of host.querySelectorAll(".chart")) {
      chart.querySelector(".part")?.remove();
      if (a === null) continue;
      const part = htmlNode(chart, "div", { class: "part" });
      part.style.left = Math.min(a, z) + "px";
      part.style.width = Math.abs(z - a) + "px";
    }
  };
  host.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || e.target.closest(".mark") || !e.target.closest(".chart")) return;
    down.set(e.pointerId, xOf(e));
    if (e.pointerType === "mouse") chosen = xOf(e);
  });
  host.addEventListener("pointermove", (e) => {
    const px = xOf(e), before = down.get(e.pointerId);
    if (e.pointerType !== "mouse" && before !== undefined) {
      const others = [...down].filter(([id]) => id !== e.pointerId).map(([, at]) => at);
      if (others.length) zoom(Math.max(10, Math.abs(before - others[0])) / Math.max(10, Math.abs(px - others[0])), momentAt((px + others[0]) / 2));
      else move((before - px) / (width - left - right));
      down.set(e.pointerId, px);
    } else if (chosen !== null && Math.abs(px - chosen) > 3) {
      host.setPointerCapture(e.pointerId);
      choose(chosen, Math.min(Math.max(px, left), width - right));
    }
    if (!inside(px) || !e.target.closest(".panel, #plots")) { cross(null); how.unpoint(); return; }
    cross(px);
    how.point(Math.min(columns - 1, Math.max(0, Math.floor((momentAt(px) - start) / how.step))), e);
  });
  const up = (e) => {
    down.delete(e.pointerId);
    if (chosen === null) return;
    const a = chosen, z = xOf(e);
    chosen = null;
    choose(null);
    if (e.type === "pointerup" && Math.abs(z - a) > 6) view(momentAt(Math.min(a, z)), momentAt(Math.max(a, z)));
  };
  host.addEventListener("pointerup", up);
  host.addEventListener("pointercancel", up);
  host.addEventListener("pointerleave", () => { if (chosen === null) { cross(null); how.unpoint(); } });
  host.addEventListener("dblclick", () => view(start, end));
  host.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && !e.metaKey && Math.abs(e.deltaX) <= Math.abs(e.deltaY)) return;
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 200))), momentAt(xOf(e)));
    else move(e.deltaX / (width - left - right));
  }, { passive: false });
  return { draw, view, zoom, move, all: () => view(start, end), x, cross, timeAt, left, right, width: () => width, from: () => from, to: () => to };
};
