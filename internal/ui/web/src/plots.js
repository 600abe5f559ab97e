// The plotter of the pages and of the reports: lanes of one time axis, and points of cost
// against unserved work. uPlot draws them, and nothing else calls it.
import uPlot from "uplot";
import { clear, color } from "./color.js";

const font = "11px system-ui, sans-serif";

// gutter and edge are what is left of the lanes and right of them, for the labels.
export const gutter = 62;
export const edge = 18;

// axis is how every axis looks.
function axis(more) {
  const grid = { stroke: color("grid"), width: 1 };
  return { stroke: color("quiet"), grid, ticks: grid, font, ...more };
}

const two = (n) => String(n).padStart(2, "0");

// clock writes the marks of the time axis: the hour, and at midnight the date.
function clock(_u, marks, _axis, _space, step) {
  return marks.map((t) => {
    const d = new Date(t * 1000), date = `${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`;
    const hour = `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}`;
    if (step >= 86400 || hour === "00:00" && d.getUTCSeconds() === 0) return date;
    return step < 60 ? `${hour}:${two(d.getUTCSeconds())}` : hour;
  });
}

// looks are the series and bands of uPlot for series of ours: {label, min, max, color, ...},
// the smallest and the largest value of each column, drawn as a band with its edges.
function looks(series) {
  const drawn = [{}], bands = [], stepped = uPlot.paths.stepped({ align: 1 });
  for (const s of series) {
    const common = { stroke: color(s.color), width: s.width ?? 1.25, dash: s.dash, paths: s.steps ? stepped : undefined, points: { show: false } };
    drawn.push({ ...common, label: s.label, fill: s.fill ? color(s.fill) : undefined });
    if (s.min === s.max) continue;
    drawn.push({ ...common, width: s.edge ?? 0.5 });
    bands.push({ series: [drawn.length - 2, drawn.length - 1], fill: s.band ? color(s.band) : clear(color(s.color), s.share ?? 0.2) });
  }
  // Something has to be there to draw axes by.
  if (drawn.length === 1) drawn.push({ points: { show: false } });
  return { drawn, bands };
}

// values are those of series in the form of uPlot: the largest of each column, and the
// smallest where they are others.
function values(times, series) {
  const all = series.flatMap((s) => (s.min === s.max ? [s.max] : [s.max, s.min]));
  return [times, ...(all.length ? all : [times.map(() => null)])];
}

// ticks draws marks from the bottom up, at moments when something happened.
function ticks(u, marks) {
  const ratio = devicePixelRatio || 1, { top, height, left, width } = u.bbox;
  for (const m of marks) {
    const x = u.valToPos(m.at, "x", true);
    if (x < left || x > left + width) continue;
    u.ctx.fillStyle = color(m.color);
    u.ctx.fillRect(x - 1, top + height - 12 * ratio, 2 * ratio, 12 * ratio);
  }
}

// zooms calls back for the part of the time that was selected.
const zooms = (onZoom) => (u) => {
  if (u.select.width < 4) return;
  const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onZoom(from * 1000, to * 1000);
};

// picks calls back for the moment that was clicked, unless that was the end of a drag.
const picks = (onPick) => (u) => {
  let down = null;
  u.over.addEventListener("mousedown", (e) => { down = e.clientX; });
  u.over.addEventListener("click", (e) => {
    if (down !== null && Math.abs(e.clientX - down) < 4) onPick(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x") * 1000);
  });
};

// lane makes one plot over time. Lanes with the same sync have one cursor, which onPick and
// onZoom tell of; those without any have none. The plot has a function update, for other
// values of the same series.
export function lane(element, { times, series, range, height, format, onZoom, onPick, sync, top, marks = [] }) {
  const { drawn, bands } = looks(series);
  const cursor = sync ? { sync: { key: sync }, y: false, drag: { x: true, y: false, setScale: false }, points: { size: 5 } } : { show: false };
  const plot = new uPlot({
    width: Math.max(element.clientWidth, 200), height,
    ms: 1e-3, tzDate: (t) => uPlot.tzDate(new Date(t * 1000), "Etc/UTC"),
    legend: { show: false }, padding: [6, edge, 0, 0], cursor,
    scales: { x: { time: true, range: () => range }, y: { range: (_u, low, high) => [Math.min(0, low ?? 0), top ?? ((high ?? 1) * 1.06 || 1)] } },
    axes: [axis({ size: 26, values: clock }), axis({ size: gutter, values: (_u, all) => all.map((v) => (v === null ? "" : format(v))) })],
    series: drawn, bands,
    hooks: { draw: [(u) => ticks(u, marks)], setSelect: onZoom ? [zooms(onZoom)] : [], ready: onPick ? [picks(onPick)] : [] },
  }, values(times, series), element);
  plot.over.setAttribute("aria-hidden", "true");
  plot.update = (next) => {
    ({ range, top, marks = [] } = next);
    plot.setData(values(next.times, next.series));
  };
  return plot;
}

// beyond is the series of what was asked for and could not be done.
export function beyond(asked, had) {
  const least = asked.map((v, i) => (v === null || had[i] === null ? null : Math.min(v, had[i])));
  return { min: least, max: asked, color: "demand", band: "bad", width: 0, edge: 0 };
}

// dots draws points, each as look says: {color, radius, ring, label}, the largest last.
const dots = (points, look) => (u) => {
  const g = u.ctx, ratio = devicePixelRatio || 1;
  g.save();
  for (const [p, as] of points.map((p) => [p, look(p)]).sort(([, a], [, b]) => a.radius - b.radius)) {
    const x = u.valToPos(p.cost, "x", true), y = u.valToPos(p.unserved, "y", true);
    g.beginPath();
    g.arc(x, y, as.radius * ratio, 0, 2 * Math.PI);
    g.fillStyle = color(as.color);
    g.fill();
    if (as.ring) {
      g.lineWidth = 1.5 * ratio;
      g.strokeStyle = color(as.ring);
      g.stroke();
    }
    if (!as.label) continue;
    const right = x > u.bbox.left + u.bbox.width / 2;
    g.fillStyle = color("quiet");
    g.font = `${11 * ratio}px system-ui, sans-serif`;
    g.textAlign = right ? "right" : "left";
    g.fillText(as.label, x + (right ? -12 : 12) * ratio, y - 10 * ratio);
  }
  g.restore();
};

// nearest is the point under the cursor.
function nearest(u, points) {
  const { left, top } = u.cursor;
  let best = null, least = 20 * 20;
  for (const p of points) {
    const d = (u.valToPos(p.cost, "x") - left) ** 2 + (u.valToPos(p.unserved, "y") - top) ** 2;
    if (d < least) [least, best] = [d, p];
  }
  return best;
}

// wide leaves room around what is drawn.
function wide(_u, low, high) {
  const room = ((high ?? 1) - (low ?? 0) || high || 1) * 0.06;
  return [Math.max(0, (low ?? 0) - room), (high ?? 1) + room];
}

// scatter makes a plot of points that have a cost and unserved work, in percent: told says
// one in words, and onPick is called for one that was clicked.
export function scatter(element, { points, cost, format, look, told, onPick }) {
  const sorted = [...points].sort((a, b) => a.cost - b.cost);
  const labeled = { labelFont: "12px system-ui, sans-serif", labelSize: 20 };
  const plot = new uPlot({
    width: Math.max(element.clientWidth, 200), height: 300, legend: { show: false }, padding: [14, edge, 0, 0],
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: wide }, y: { range: wide } },
    axes: [axis({ ...labeled, size: 34, label: cost, values: (_u, all) => all.map(format) }),
      axis({ ...labeled, size: gutter, label: "unserved, %", values: (_u, all) => all.map(format) })],
    series: [{}, { points: { show: false }, paths: () => null }],
    hooks: {
      draw: [dots(sorted, look)],
      ready: [(u) => {
        u.over.addEventListener("mousemove", () => {
          const p = nearest(u, sorted);
          u.over.title = p ? told(p) : "";
        });
        u.over.addEventListener("click", () => {
          const p = nearest(u, sorted);
          if (p) onPick?.(p);
        });
      }],
    },
  }, [sorted.map((p) => p.cost), sorted.map((p) => p.unserved)], element);
  plot.over.setAttribute("aria-hidden", "true");
  return plot;
}
