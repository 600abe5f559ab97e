// Numbers and times as people read them. Times are those of the feed, in UTC: a
// replay has no zone of its own.

const two = (n) => String(n).padStart(2, "0");
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

export function moment(ms) {
  const d = new Date(ms);
  return `${days[d.getUTCDay()]} ${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())} ` +
    `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`;
}

export const iso = (ms) => new Date(ms).toISOString().replace(".000Z", "Z");

// age is how long ago something was, in its largest unit.
export function age(ms) {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 86400) return `${Math.floor(s / 3600)} h`;
  return `${Math.floor(s / 86400)} d`;
}

// amount has as many digits as anyone reads.
export function amount(v) {
  if (v === null || v === undefined || Number.isNaN(v)) return "–";
  if (v !== 0 && Math.abs(v) < 1) return v.toFixed(3).replace(/0+$/, "").replace(/\.$/, "");
  if (Math.abs(v) < 100) return String(Math.round(v * 100) / 100);
  return Math.round(v).toLocaleString("en-US");
}

const binary = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

export function bytes(v) {
  if (v === null || v === undefined || Number.isNaN(v)) return "–";
  let i = 0;
  while (Math.abs(v) >= 1024 && i < binary.length - 1) { v /= 1024; i++; }
  return amount(v) + binary[i];
}

// inUnit writes a value of a metric.
export function inUnit(v, unit) {
  if (unit === "bytes") return bytes(v);
  return amount(v) + (unit === "percent" && v !== null ? " %" : "");
}
