// The ribbon: why, from one moment to the next, as a band of colors; hatched where
// something held the desired size back.
import { color } from "./color.js";
import { edge, gutter } from "./plots.js";

// hue gives each reason a color by what it says of the size; the word itself is in
// the legend and under the cursor.
export function hue(reason) {
  if (/^(Above|HeadroomShort|Saturated|Activated|Requested|Next)/.test(reason)) return "demand";
  if (/^(Below|HeadroomAmple|NotActivated|Previous)/.test(reason)) return "capacity";
  if (/(NoData|PartialData|Missing|Fallback)/.test(reason)) return "bad";
  if (/^(Within|HeadroomKept|HeadroomHeld)/.test(reason)) return "mark";
  return "room";
}

function hatch(g) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const t = tile.getContext("2d");
  t.strokeStyle = color("text");
  t.lineWidth = 1;
  t.beginPath();
  t.moveTo(0, 6);
  t.lineTo(6, 0);
  t.stroke();
  return g.createPattern(tile, "repeat");
}

export function drawRibbon(canvas, lanes, from, to) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  const { words, reasons, limits } = lanes.ribbon;
  const inner = width - gutter - edge, x = (ms) => gutter + (inner * (ms - from)) / (to - from);
  const pattern = hatch(g);
  for (let i = 0; i < reasons.length; i++) {
    if (reasons[i] < 0) continue;
    // A column without a decision belongs to the one before.
    let end = i + 1;
    while (end < reasons.length && reasons[end] < 0) end++;
    const left = x(lanes.from + i * lanes.step), right = x(lanes.from + end * lanes.step);
    // Of a past that only series tell of, a reason may not be known.
    if (words[reasons[i]] || words[limits[i]]) {
      g.fillStyle = color(hue(words[reasons[i]]));
      g.fillRect(left, 0, right - left + 0.5, height);
    }
    if (words[limits[i]]) {
      g.fillStyle = pattern;
      g.fillRect(left, 0, right - left + 0.5, height);
    }
    i = end - 1;
  }
}
