// What differs between two texts, line by line.

// diff is the lines of both: those that went, those that came, and those that stay.
export function diff(before, after) {
  const a = before.split("\n"), b = after.split("\n");
  // common[i][j] is how many lines the rests from there on have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  }
  const out = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    const goes = i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1]);
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push([" ", a[i++]]);
      j++;
    } else if (goes) out.push(["-", a[i++]]);
    else out.push(["+", b[j++]]);
  }
  return out;
}

// near keeps the lines around what differs, and null where some are left out.
export function near(lines, around = 3) {
  const kept = lines.map((_, i) => lines.slice(Math.max(0, i - around), i + around + 1).some(([sign]) => sign !== " "));
  const out = [];
  lines.forEach((l, i) => { if (kept[i]) out.push(l); else if (out.length && out.at(-1)) out.push(null); });
  return out;
}
