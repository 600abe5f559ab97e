"use strict";
// The plotter draws bands over time, panels below one another on one axis that can be zoomed and
// moved. It knows nothing of policies: whoever uses it says what the panels are, what stands below
// them, and what happens at a moment that is pointed at. A band is [[least...], [most...]],
// [[all...]] where both are the same, or one number for all columns; null is a gap.
const bands = {
  least: (b, i) => (Array.isArray(b) ? b[0][i] : b),
  most: (b, i) => (Array.isArray(b) ? (b[1] || b[0])[i] : b),
  varies: (b) => Array.isArray(b),
  known: (b) => b !== null && b !== undefined,
  peak: (b) => (Array.isArray(b) ? (b[1] || b[0]).reduce((m, v) => Math.max(m, v ?? 0), 0) : b ?? 0),
};

const svgNode = (parent, name, attrs = {}, text) => {
  const el = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attrs) el.setAttribute(k, attrs[k]);
  if (text !== undefined) el.textContent = text;
  return parent.appendChild(el);
};
const htmlNode = (parent, name, attrs = {}, text) => {
  const el = document.createElement(name);
  for (const k in attrs) el.setAttribute(k, attrs[k]);
  if (text !== undefined) el.textContent = text;
  return parent.appendChild(el);
};
const numberText = (v) => (v === null || v === undefined ? "–" : Math.abs(v) >= 100 ? v.toFixed(0) : Number(v.toPrecision(3)).toString());
const niceStep = (range, count) => { const raw = range / count; const p = 10 ** Math.floor(Math.log10(raw)); return [1, 2, 5, 10].map((m) => m * p).find((s) => s >= raw) || raw; };
const round1 = (v) => Math.round(v * 10) / 10;

// newPlotter plots into a host. Of how: start, step and columns of time; panels() with title, note,
// unit, height, top and layers; below(host) to draw beneath them; point(column, event), unpoint(),
// and moved(from, to) when what is seen has changed.
const newPlotter = (host, how) => {
  const day = 86400000, left = 52, right = 10;
  const steps = [60e3, 300e3, 900e3, 1800e3, 3600e3, 2 * 3600e3, 3 * 3600e3, 6 * 3600e3, 12 * 3600e3, day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day];
  const columns = Math.max(1, how.columns), start = how.start, end = start + columns * how.step;
  const shortest = Math.min(end - start, Math.max(8 * how.step, 60e3));
  let from = start, to = end, width = 0, crosses = [];
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
      out.push({ a: Math.max(x(timeAt(i)), left), z: Math.min(x(timeAt(Math.min(last, i + each))), width - right), lo, hi });
    }
    return out;
  };
  // outline draws pieces as a filled shape, and their middle as a line of steps.
  const outline = (pieces, y) => {
    let area = "", line = "", run = [];
    const close = () => {
      run.forEach((p, n) => {
        const mid = y((p.hi + p.lo) / 2), go = n ? "L" : "M";
        area += `${go}${p.a},${y(p.hi)}L${p.z},${y(p.hi)}`;
        line += `${go}${p.a},${mid}L${p.z},${mid}`;
      });
      for (let n = run.length - 1; n >= 0; n--) area += `L${run[n].z},${y(run[n].lo)}L${run[n].a},${y(run[n].lo)}`;
      if (run.length) area += "Z";
      run = [];
    };
    for (const p of pieces) if (p.hi === null) close(); else run.push(p);
    close();
    return { area, line };
  };
  const axes = (svg, height, top, unit) => {
    const y = (v) => round1(height - 18 - (v / top) * (height - 26));
    const step = niceStep(top, height > 120 ? 4 : 2);
    for (let v = 0; v <= top + 1e-9; v += step) {
      svgNode(svg, "line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) });
      svgNode(svg, "text", { x: left - 8, y: y(v) + 4, "text-anchor": "end" }, numberText(v) + (unit === "%" ? " %" : ""));
    }
    const every = steps.find((s) => (to - from) / s <= Math.max(2, width / 90)) || 91 * day;
    for (let t = Math.ceil(from / every) * every; t < to; t += every) {
      const iso = new Date(t).toISOString();
      svgNode(svg, "line", { class: "grid", x1: x(t), x2: x(t), y1: 8, y2: height - 18 });
      svgNode(svg, "text", { x: x(t), y: height - 4, "text-anchor": "middle" }, t % day === 0 ? iso.slice(5, 10) : iso.slice(11, 16));
    }
    svgNode(svg, "line", { class: "axis", x1: left, x2: width - right, y1: y(0), y2: y(0) });
    return y;
  };
  // The ways to draw a layer: demand from zero, a band with its line, a goal with its edges, what is lost.
  const draws = {
    area: (svg, l, y) => svgNode(svg, "path", { class: "demand", d: outline(seen(l.band).map((p) => ({ ...p, lo: p.hi === null ? null : 0 })), y).area }),
    goal: (svg, l, y) => {
      const low = seen(l.low), high = seen(l.band), between = high.map((p, n) => ({ ...p, lo: low[n].lo }));
      svgNode(svg, "path", { class: "goal", d: outline(between, y).area });
      for (const edge of [low.map((p) => ({ ...p, hi: p.lo })), high.map((p) => ({ ...p, lo: p.hi }))]) svgNode(svg, "path", { class: "goal edge", d: outline(edge, y).line });
    },
    band: (svg, l, y) => {
      const { area, line } = outline(seen(l.band), y), g = svgNode(svg, "g", { class: l.color, "data-run": l.run });
      svgNode(g, "path", { class: "env", d: area });
      svgNode(g, "path", { class: "line", d: line });
    },
    lost: (svg, l, y) => {
      const had = seen(l.low);
      const d = seen(l.band).map((p, n) => (p.hi > had[n].lo ? `M${p.a},${y(p.hi)}H${Math.max(p.z, p.a + 1.5)}V${y(had[n].lo)}H${p.a}Z` : "")).join("");
      if (d) svgNode(svg, "path", { class: "dropped", d });
    },
  };
  const drawPanel = (p) => {
    const box = htmlNode(host, "div", { class: "panel" });
    htmlNode(htmlNode(box, "h3", {}, p.title), "small", {}, p.note);
    const svg = svgNode(box, "svg", { class: "chart", height: p.height, viewBox: `0 0 ${width} ${p.height}`, role: "img", "aria-label": p.title });
    const y = axes(svg, p.height, (p.layers.reduce((m, l) => Math.max(m, bands.peak(l.band)), 0) || 1) * 1.08, p.unit);
    for (const l of p.layers) draws[l.as](svg, l, y);
    crosses.push(svgNode(svg, "line", { class: "cross off", y1: 4, y2: p.height - 18 }));
  };
  const cross = (px) => crosses.forEach((c) => { c.classList.toggle("off", px === null); if (px !== null) { c.setAttribute("x1", px); c.setAttribute("x2", px); } });
  const draw = () => {
    width = Math.max(280, Math.floor(host.clientWidth));
    host.replaceChildren();
    crosses = [];
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
    for (const svg of host.querySelectorAll("svg.chart")) {
      svg.querySelector(".chosen")?.remove();
      if (a !== null) svgNode(svg, "rect", { class: "chosen", x: Math.min(a, z), width: Math.abs(z - a), y: 4, height: Math.max(0, svg.clientHeight - 22) });
    }
  };
  host.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || e.target.closest(".mark") || !e.target.closest("svg")) return;
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
    if (!inside(px) || !e.target.closest("svg, .panel, #plots")) { cross(null); how.unpoint(); return; }
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
