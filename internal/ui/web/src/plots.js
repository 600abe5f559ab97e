// Lanes of one time axis. uPlot draws them; their cursors move together, and a
// selection in one of them zooms all.
import uPlot from "uplot";
import { color } from "./theme.js";

const axisFont = "11px system-ui, sans-serif";

// gutter and edge are what is left of the lanes and right of them, for the labels.
export const gutter = 62;
export const edge = 18;

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

// lane makes one plot. Series are given as {label, min, max, color, ...}: the
// smallest and the largest value of each column, drawn as a band with its edges.
// The plot has a function update, for other values of the same series.
export function lane(element, { times, series, range, height, format, onZoom, onPick, sync, top, marks = [] }) {
  const drawn = [{}];
  const bands = [];
  let count = 0;
  for (const s of series) {
    const stroke = color(s.color);
    const path = s.steps ? uPlot.paths.stepped({ align: 1 }) : undefined;
    const common = { stroke, width: s.width ?? 1.25, dash: s.dash, paths: path, points: { show: false } };
    count++;
    drawn.push({ ...common, label: s.label, fill: s.fill ? color(s.fill) : undefined });
    if (s.min !== s.max) {
      count++;
      drawn.push({ ...common, width: s.edge ?? 0.5 });
      bands.push({ series: [count - 1, count], fill: color(s.band ?? s.color) + (s.band ? "" : "33") });
    }
  }
  const axis = { stroke: color("quiet"), grid: { stroke: color("grid"), width: 1 }, ticks: { stroke: color("grid"), width: 1 }, font: axisFont };
  let down = null;
  const plot = new uPlot({
    width: Math.max(element.clientWidth, 200), height,
    ms: 1e-3, tzDate: (t) => uPlot.tzDate(new Date(t * 1000), "Etc/UTC"),
    legend: { show: false }, padding: [6, edge, 0, 0],
    cursor: { sync: { key: sync }, y: false, drag: { x: true, y: false, setScale: false }, points: { size: 5 } },
    scales: { x: { time: true, range: () => range }, y: { range: (_u, low, high) => [Math.min(0, low ?? 0), top ?? ((high ?? 1) * 1.06 || 1)] } },
    axes: [{ ...axis, size: 26, values: clock }, { ...axis, size: gutter, values: (_u, all) => all.map((v) => (v === null ? "" : format(v))) }],
    series: drawn, bands,
    hooks: {
      // Marks are ticks from the bottom up, at moments when something happened.
      draw: [(u) => {
        for (const m of marks) {
          const x = u.valToPos(m.at, "x", true), { top: y, height: tall, left, width } = u.bbox;
          if (x < left || x > left + width) continue;
          u.ctx.fillStyle = color(m.color);
          u.ctx.fillRect(x - 1, y + tall - 12 * devicePixelRatio, 2 * devicePixelRatio, 12 * devicePixelRatio);
        }
      }],
      setSelect: [(u) => {
        if (u.select.width < 4) return;
        const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        onZoom(from * 1000, to * 1000);
      }],
      ready: [(u) => {
        u.over.addEventListener("mousedown", (e) => { down = [e.clientX, e.clientY]; });
        u.over.addEventListener("click", (e) => {
          if (down && Math.abs(e.clientX - down[0]) < 4) onPick(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x") * 1000);
        });
      }],
    },
  }, values(times, series), element);
  plot.update = (next) => {
    ({ range, top, marks = [] } = next);
    plot.setData(values(next.times, next.series));
  };
  return plot;
}

// values are those of series in the form of uPlot: the largest of each column, and the
// smallest where they are others.
const values = (times, series) => [times, ...series.flatMap((s) => (s.min === s.max ? [s.max] : [s.max, s.min]))];
