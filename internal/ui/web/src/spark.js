// A day of demand and capacity in a few pixels. The server sends a character for
// each half hour, of an alphabet of 64 from nothing to the largest value.
import { color } from "./color.js";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const place = new Map([...alphabet].map((c, i) => [c, i / 63]));

export const read = (text) => [...text].map((c) => place.get(c) ?? null);

// lookOf is the size of a canvas and the colors of the theme. All sparks are alike, so it is
// asked for once: to ask after each that was drawn would lay out the page as many times.
export function lookOf(canvas) {
  const colors = Object.fromEntries(["bad", "demand-soft", "capacity"].map((name) => [name, color(name)]));
  return { width: canvas.clientWidth, height: canvas.clientHeight, colors };
}

// draw draws the day of a row: what was asked for as an area, what could be done as
// a line, and where the first was more than the second in another color.
export function draw(canvas, row, { width, height, colors }) {
  const ratio = devicePixelRatio || 1;
  if (!width) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  const demand = read(row.demand), capacity = read(row.capacity);
  const each = width / Math.max(demand.length, 1), y = (v) => height - 1 - v * (height - 3);
  demand.forEach((v, i) => {
    if (v === null) return;
    g.fillStyle = colors[v > capacity[i] ? "bad" : "demand-soft"];
    g.fillRect(i * each, y(v), each + 0.5, height - y(v));
  });
  g.strokeStyle = colors.capacity;
  g.lineWidth = 1.25;
  g.beginPath();
  let down = false;
  capacity.forEach((v, i) => {
    if (v === null) { down = false; return; }
    if (down) g.lineTo((i + 0.5) * each, y(v));
    else g.moveTo((i + 0.5) * each, y(v));
    down = true;
  });
  g.stroke();
}
