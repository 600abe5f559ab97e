// The plotter draws bands over time, panels below one another on one axis that can be zoomed and
// moved; uPlot draws each of them. It knows nothing of policies: whoever uses it says what the panels
// are, what stands below them, and what happens at a moment that is pointed at. A band is [[least...], [most...]],
// [[all...]] where both are the same, or one number for all columns; null is a gap.
import uPlot from "uplot";

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

// paint is a color of the page by its name: what is drawn on a canvas does not follow a style sheet.
export const paint = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const clear = (color, share) => (color.length === 4 ? color.replace(/[0-9a-f]/g, "$&$&") : color) + Math.round(share * 255).toString(16).padStart(2, "0");
const font = "11px system-ui, -apple-system, sans-serif";
// axis is how every axis looks.
export const axis = (more) => ({ stroke: paint("soft"), font, grid: { stroke: paint("grid"), width: 1 }, ticks: { show: false }, gap: 4, ...more });
const round1 = (v) => Math.round(v * 10) / 10;

// newPlotter plots into a host. Of how: start, step and columns of time; panels() with title, note,
// unit, height, top and layers; below(host) to draw beneath them; point(column, event), unpoint(),
// and moved(from, to) when what is seen has changed.
export const newPlotter = (host, how) => {
  const day = 86400000, left = 52, right = 20;
  const steps = [60e3, 300e3, 900e3, 1800e3, 3600e3, 2 * 3600e3, 3 * 3600e3, 6 * 3600e3, 12 * 3600e3, day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day];
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
  // marksOf are the moments that are written below a panel.
  const marksOf = () => {
    const every = steps.find((s) => (to - from) / s <= Math.max(2, width / 90)) || 91 * day, out = [];
    for (let t = Math.ceil(from / every) * every; t < to; t += every) out.push(t / 1000);
    return out;
  };
  const marksText = (marks) => marks.map((t) => { const iso = new Date(t * 1000).toISOString(); return t % (day / 1000) === 0 ? iso.slice(5, 10) : iso.slice(11, 16); });

  // The ways to draw a layer, each by the series and bands that it adds: demand from zero, a band with
  // its line, a goal with its edges, and what is lost, which is drawn last.
  const stepped = uPlot.paths.stepped({ align: 1 });
  const line = (stroke, more) => ({ stroke, width: 1, paths: stepped, points: { show: false }, ...more });
  const draws = {
    area: (o, l) => o.add(o.hi(l.band), line(paint("demand"), { fill: paint("area") })),
    goal: (o, l) => {
      const edge = line(paint("accent"), { dash: [4, 3] }), high = o.add(o.hi(l.band), edge), low = o.add(o.lo(l.low), edge);
      o.bands.push({ series: [high, low], fill: paint("band") });
    },
    band: (o, l) => {
      const color = paint(l.color), bare = line(undefined, { width: 0 }), high = o.add(o.hi(l.band), bare), low = o.add(o.lo(l.band), bare);
      o.bands.push({ series: [high, low], fill: clear(color, 0.28) });
      o.add(o.middle(l.band), line(color, { width: 1.7 }));
    },
    lost: (o, l) => o.after.push((u) => {
      const asked = o.pieces(l.band), had = o.pieces(l.low), at = (v, scale) => u.valToPos(v, scale, true);
      u.ctx.save();
      u.ctx.fillStyle = clear(paint("bad"), 0.55);
      asked.forEach((p, n) => {
        if (!(p.hi > had[n].lo)) return;
        const left = at(p.from, "x"), top = at(p.hi, "y");
        u.ctx.fillRect(left, top, Math.max(at(p.to, "x") - left, 1.5 * devicePixelRatio), at(had[n].lo, "y") - top);
      });
      u.ctx.restore();
    }),
  };
  const drawPanel = (p) => {
    const box = htmlNode(host, "div", { class: "panel" });
    htmlNode(htmlNode(box, "h3", {}, p.title), "small", {}, p.note);
    const chart = htmlNode(box, "div", { class: "chart", role: "img", "aria-label": p.title, "data-runs": p.layers.filter((l) => l.run !== undefined).map((l) => l.run).join(" ") });
    const known = new Map(), pieces = (b) => { if (!known.has(b)) known.set(b, seen(b)); return known.get(b); };
    // A value holds until the end of its piece, so the last one is there once more.
    const column = (b, of) => { const all = pieces(b).map(of); return [...all, all.at(-1)]; };
    const times = pieces(0).map((s) => s.from), data = [[...times, pieces(0).at(-1).to]], series = [{}];
    const o = { bands: [], after: [], pieces, add: (values, look) => { data.push(values); series.push(look); return series.length - 1; },
      hi: (b) => column(b, (s) => s.hi), lo: (b) => column(b, (s) => s.lo), middle: (b) => column(b, (s) => (s.hi === null ? null : (s.hi + s.lo) / 2)) };
    for (const l of p.layers) draws[l.as](o, l);
    const top = (p.layers.reduce((m, l) => Math.max(m, bands.peak(l.band)), 0) || 1) * 1.08;
    // Something has to be there to draw axes by.
    if (series.length === 1) o.add(data[0].map(() => null), line(undefined));
    plots.push(new uPlot({
      width, height: p.height, padding: [8, right, 0, 0], legend: { show: false }, cursor: { show: false }, series, bands: o.bands,
      scales: { x: { time: false, range: () => [from / 1000, to / 1000] }, y: { range: () => [0, top] } },
      axes: [axis({ size: 18, splits: marksOf, values: (_u, marks) => marksText(marks) }),
        axis({ size: left, space: p.height > 120 ? 44 : 28, values: (_u, marks) => marks.map((v) => numberText(v) + (p.unit === "%" ? " %" : "")) })],
      hooks: { draw: o.after },
    }, data, chart));
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
