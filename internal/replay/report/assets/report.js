"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svgNS = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const make = (parent, name, attrs = {}, text) => {
    const el = document.createElementNS(svgNS, name);
    for (const k in attrs) el.setAttribute(k, attrs[k]);
    if (text !== undefined) el.textContent = text;
    return parent.appendChild(el);
  };
  const html = (parent, name, attrs = {}, text) => {
    const el = document.createElement(name);
    for (const k in attrs) el.setAttribute(k, attrs[k]);
    if (text !== undefined) el.textContent = text;
    return parent.appendChild(el);
  };

  // The theme: the system's, until the button is pressed.
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => { root.dataset.theme = system.matches ? "dark" : "light"; };
  follow();
  system.addEventListener("change", follow);
  byId("theme").addEventListener("click", () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; });

  // Bands: [[least...], [most...]], or one number for all columns.
  const least = (b, i) => (Array.isArray(b) ? b[0][i] : b);
  const most = (b, i) => (Array.isArray(b) ? b[1][i] : b);
  const varies = (b) => Array.isArray(b);
  const known = (b) => b !== null;
  const columns = Math.max(1, data.columns);
  const end = data.start + columns * data.step;
  const timeAt = (i) => data.start + i * data.step;
  const peak = (b) => (varies(b) ? b[1].reduce((m, v) => Math.max(m, v ?? 0), 0) : b ?? 0);
  const hidden = new Set();
  let focus = Math.max(0, data.runs.findIndex((r) => known(r.value)));

  const number = (v) => (v === null || v === undefined ? "–" : Math.abs(v) >= 100 ? v.toFixed(0) : Number(v.toPrecision(3)).toString());
  const moment = (ms) => new Date(ms).toISOString().replace("T", " ").slice(0, 16);
  const day = 86400000;
  const tickTime = (ms) => { const t = new Date(ms).toISOString(); return ms % day === 0 ? t.slice(5, 10) : t.slice(11, 16); };
  const timeSteps = [60e3, 300e3, 900e3, 1800e3, 3600e3, 2 * 3600e3, 3 * 3600e3, 6 * 3600e3, 12 * 3600e3, day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day];
  const niceStep = (range, count) => { const raw = range / count; const p = 10 ** Math.floor(Math.log10(raw)); return [1, 2, 5, 10].map((m) => m * p).find((s) => s >= raw) || raw; };

  // The panels: one for each question, all on the same axis of time.
  const panels = [
    { title: "Demand and capacity", unit: "cores", area: data.demand, lines: (r) => r.capacity, height: 230, dropped: true },
    { title: "Replicas", unit: "pods", lines: (r) => r.replicas, height: 150 },
    { title: "Metric in its band", unit: "", lines: (r, i) => (i === focus ? r.value : null), goal: () => data.runs[focus], height: 150 },
    { title: "Request of a pod", unit: "cores", lines: (r) => r.cpu, height: 90, only: () => data.runs.some((r) => varies(r.cpu)) },
    { title: "Memory of a pod", unit: "GiB", lines: (r) => r.memory, height: 90, only: () => data.runs.some((r) => varies(r.memory)) },
  ];
  const left = 52, right = 10, tip = html(document.body, "div", { id: "tip", hidden: "" });
  const host = byId("plots");
  let scaleX = (ms) => ms, width = 0, crosses = [];

  // outline draws a band as a filled shape, and its middle as a line of steps.
  const outline = (b, x, y) => {
    let area = "", line = "", start = -1;
    const close = (to) => {
      if (start < 0) return;
      for (let i = start; i < to; i++) {
        const a = x(timeAt(i)), z = x(timeAt(i + 1)), hi = y(most(b, i)), mid = y((most(b, i) + least(b, i)) / 2);
        area += (i === start ? "M" : "L") + a + "," + hi + "L" + z + "," + hi;
        line += (i === start ? "M" : "L") + a + "," + mid + "L" + z + "," + mid;
      }
      let lower = "";
      for (let i = to - 1; i >= start; i--) lower += "L" + x(timeAt(i + 1)) + "," + y(least(b, i)) + "L" + x(timeAt(i)) + "," + y(least(b, i));
      area += lower + "Z";
      start = -1;
    };
    for (let i = 0; i < columns; i++) {
      if (most(b, i) === null || most(b, i) === undefined) close(i);
      else if (start < 0) start = i;
    }
    close(columns);
    return { area, line };
  };
  const round1 = (v) => Math.round(v * 10) / 10;

  const axes = (svg, height, top, unit) => {
    const y = (v) => round1(height - 18 - (v / top) * (height - 26));
    const step = niceStep(top, height > 120 ? 4 : 2);
    for (let v = 0; v <= top + 1e-9; v += step) {
      make(svg, "line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) });
      make(svg, "text", { x: left - 8, y: y(v) + 4, "text-anchor": "end" }, number(v) + (unit === "%" ? " %" : ""));
    }
    const every = timeSteps.find((s) => (end - data.start) / s <= Math.max(2, width / 90)) || 91 * day;
    for (let t = Math.ceil(data.start / every) * every; t < end; t += every) {
      make(svg, "line", { class: "grid", x1: scaleX(t), x2: scaleX(t), y1: 8, y2: height - 18 });
      make(svg, "text", { x: scaleX(t), y: height - 4, "text-anchor": "middle" }, tickTime(t));
    }
    make(svg, "line", { class: "axis", x1: left, x2: width - right, y1: y(0), y2: y(0) });
    return y;
  };

  const drawPanel = (p) => {
    if (p.only && !p.only()) return;
    const goal = p.goal && p.goal();
    if (p.goal && (!goal || !known(goal.value))) return;
    const box = html(host, "div", { class: "panel" });
    const unit = goal ? (goal.percent ? "%" : goal.metric) : p.unit;
    const head = html(box, "h3", {}, p.title);
    html(head, "small", {}, p.dropped ? unit + " · red is demand above the capacity of " + (data.runs[focus]?.name ?? "") : goal ? goal.metric + (goal.percent ? ", percent of the request" : "") + " · " + goal.name : unit);
    const svg = make(box, "svg", { class: "chart", height: p.height, viewBox: `0 0 ${width} ${p.height}`, role: "img", "aria-label": p.title });
    let top = p.area !== undefined ? peak(p.area) : 0;
    data.runs.forEach((r, i) => { const b = p.lines(r, i); if (known(b) && !hidden.has(i)) top = Math.max(top, peak(b)); });
    if (goal) top = Math.max(top, peak(goal.high));
    const y = axes(svg, p.height, (top || 1) * 1.08, unit);
    if (p.area !== undefined && known(p.area)) {
      const { area } = outline(varies(p.area) ? [p.area[1].map((v) => (v === null ? null : 0)), p.area[1]] : [Array(columns).fill(0), Array(columns).fill(p.area)], scaleX, y);
      make(svg, "path", { class: "demand", d: area });
    }
    if (goal && known(goal.high)) {
      const edge = (of) => Array.from({ length: columns }, (_, i) => of(i));
      const low = edge((i) => least(goal.low, i)), high = edge((i) => most(goal.high, i));
      make(svg, "path", { class: "goal", d: outline([low, high], scaleX, y).area });
      for (const b of [low, high]) make(svg, "path", { class: "goal edge", d: outline([b, b], scaleX, y).line });
    }
    data.runs.forEach((r, i) => {
      const b = p.lines(r, i);
      if (!known(b) || hidden.has(i)) return;
      const { area, line } = outline(b, scaleX, y);
      const g = make(svg, "g", { class: "c" + (i % 8), "data-run": i });
      make(g, "path", { class: "env", d: area });
      make(g, "path", { class: "line", d: line });
    });
    if (p.dropped) drawDropped(svg, y);
    crosses.push(make(svg, "line", { class: "cross off", y1: 4, y2: p.height - 18 }));
    svg.addEventListener("pointermove", (e) => point(e));
    svg.addEventListener("pointerleave", unpoint);
  };

  // Where the demand of the chosen policy was above its capacity, work was lost.
  const drawDropped = (svg, y) => {
    const r = data.runs[focus];
    if (!r || hidden.has(focus) || !known(data.demand)) return;
    let d = "";
    for (let i = 0; i < columns; i++) {
      const asked = most(data.demand, i), had = least(r.capacity, i);
      if (asked > had) d += `M${scaleX(timeAt(i))},${y(asked)}H${Math.max(scaleX(timeAt(i + 1)), scaleX(timeAt(i)) + 1.5)}V${y(had)}H${scaleX(timeAt(i))}Z`;
    }
    if (d) make(svg, "path", { class: "dropped", d });
  };

  // Marks: the decisions of one policy, up or down.
  const drawMarks = () => {
    const r = data.runs[focus];
    if (!r) return;
    const box = html(host, "div", { class: "panel" });
    const head = html(box, "h3", {}, "Decisions");
    html(head, "small", {}, `${r.decisions.length} of ${r.name} changed the size` + (r.leftOut ? `; ${r.leftOut} later ones are not listed` : ""));
    const svg = make(box, "svg", { class: "chart", height: 44, viewBox: `0 0 ${width} 44`, role: "group", "aria-label": "Decisions of " + r.name });
    make(svg, "line", { class: "axis", x1: left, x2: width - right, y1: 22, y2: 22 });
    r.decisions.forEach((d, n) => {
      const x = round1(scaleX(d.at)), up = d.to > d.from, level = d.to === d.from;
      const g = make(svg, "g", { class: "mark c" + (focus % 8), role: "button", tabindex: n === 0 ? 0 : -1, "data-n": n, "aria-label": moment(d.at) + " " + d.headline });
      make(g, "path", { d: level ? `M${x - 4},18h8v8h-8z` : up ? `M${x},6l5,13h-10z` : `M${x},38l5,-13h-10z` });
      g.addEventListener("pointerenter", () => show(n));
      g.addEventListener("focus", () => show(n));
      g.addEventListener("click", () => g.focus());
    });
    svg.addEventListener("keydown", (e) => {
      const now = Number(e.target.dataset.n);
      const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: r.decisions.length - 1, PageDown: now + 10, PageUp: now - 10 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      const marks = svg.querySelectorAll(".mark"), next = marks[Math.min(Math.max(to, 0), marks.length - 1)];
      marks.forEach((m) => m.setAttribute("tabindex", m === next ? 0 : -1));
      next.focus();
    });
  };

  const show = (n) => {
    const d = data.runs[focus].decisions[n], box = byId("decision");
    box.replaceChildren();
    const head = html(box, "h3", {}, d.headline + " ");
    html(head, "time", { datetime: new Date(d.at).toISOString() }, moment(d.at) + " UTC");
    if (d.text) html(box, "pre", {}, d.text.split("\n").slice(1).join("\n").replace(/^ {2}/gm, "").trimEnd());
    else html(box, "p", {}, "A yardstick gives no reasons.");
    document.querySelectorAll(".mark").forEach((m) => m.setAttribute("aria-current", m.dataset.n === String(n)));
    cross(scaleX(d.at));
  };

  const cross = (x) => crosses.forEach((c) => { c.classList.remove("off"); c.setAttribute("x1", x); c.setAttribute("x2", x); });
  const unpoint = () => { tip.hidden = true; crosses.forEach((c) => c.classList.add("off")); };
  const point = (e) => {
    const bounds = e.currentTarget.getBoundingClientRect();
    const x = ((e.clientX - bounds.left) / bounds.width) * width;
    if (x < left || x > width - right) return unpoint();
    const i = Math.min(columns - 1, Math.floor(((x - left) / (width - left - right)) * columns));
    cross(x);
    tip.replaceChildren();
    html(tip, "b", {}, moment(timeAt(i)) + " UTC");
    const line = (name, b, unit, color) => {
      if (!known(b) || most(b, i) === null || most(b, i) === undefined) return;
      const row = html(tip, "div"), label = html(row, "span");
      if (color !== undefined) html(label, "i", { class: "swatch c" + (color % 8) });
      label.append(name);
      html(row, "span", {}, (least(b, i) === most(b, i) ? number(most(b, i)) : number(least(b, i)) + "–" + number(most(b, i))) + " " + unit);
    };
    line("demand", data.demand, "cores");
    data.runs.forEach((r, n) => { if (!hidden.has(n)) line(r.name, r.replicas, "pods", n); });
    const f = data.runs[focus];
    if (f && known(f.value)) line(f.metric, f.value, f.percent ? "%" : "");
    tip.hidden = false;
    const room = document.documentElement.clientWidth - tip.offsetWidth - 12;
    tip.style.left = Math.max(6, Math.min(e.clientX + 16, room)) + scrollX + "px";
    tip.style.top = e.clientY + 18 + scrollY + "px";
  };

  const draw = () => {
    width = Math.max(280, Math.floor(host.clientWidth));
    scaleX = (ms) => round1(left + ((ms - data.start) / (end - data.start)) * (width - left - right));
    host.replaceChildren();
    crosses = [];
    panels.forEach(drawPanel);
    const flat = data.runs.filter((r, i) => !hidden.has(i) && known(r.cpu) && !varies(r.cpu) && !varies(r.memory));
    if (flat.length === data.runs.length && flat.length) html(host, "p", { class: "hint" }, `Requests: every pod requests ${number(flat[0].cpu)} ${flat[0].cpu === 1 ? "core" : "cores"}` + (known(flat[0].memory) ? ` and ${number(flat[0].memory)} GiB` : "") + " throughout.");
    drawMarks();
  };

  // The legend and the choice of the policy whose decisions are shown.
  data.runs.forEach((r, i) => {
    const b = html(byId("legend"), "button", { type: "button", "aria-pressed": "true", "data-run": i });
    html(b, "i", { class: "swatch c" + (i % 8) });
    b.append(r.name);
    b.addEventListener("click", () => {
      if (hidden.has(i)) hidden.delete(i); else hidden.add(i);
      b.setAttribute("aria-pressed", String(!hidden.has(i)));
      document.querySelector(`.scores tr[data-run="${i}"]`)?.classList.toggle("off", hidden.has(i));
      draw();
    });
    html(byId("focus"), "option", { value: i }, r.name);
  });
  byId("focus").value = String(focus);
  byId("focus").addEventListener("change", (e) => { focus = Number(e.target.value); draw(); });

  // The front of a search: cost against unserved work.
  const drawFront = () => {
    const box = byId("front");
    if (!box || !data.front) return;
    box.replaceChildren();
    const w = Math.max(260, box.clientWidth), h = 300, costs = data.front.map((f) => f.cost), lost = data.front.map((f) => f.unserved);
    const lo = Math.min(...costs), hi = Math.max(...costs), pad = (hi - lo || hi || 1) * 0.08, top = (Math.max(...lost) || 0.001) * 1.1;
    const x = (v) => round1(60 + ((v - lo + pad) / (hi - lo + 2 * pad)) * (w - 80)), y = (v) => round1(h - 38 - (v / top) * (h - 56));
    const svg = make(box, "svg", { class: "chart", height: h, viewBox: `0 0 ${w} ${h}` });
    const sx = niceStep(hi - lo + 2 * pad, Math.max(2, w / 110)), sy = niceStep(top, 4);
    for (let v = Math.ceil((lo - pad) / sx) * sx; v <= hi + pad; v += sx) { make(svg, "line", { class: "grid", x1: x(v), x2: x(v), y1: 10, y2: h - 38 }); make(svg, "text", { x: x(v), y: h - 22, "text-anchor": "middle" }, number(v)); }
    for (let v = 0; v <= top; v += sy) { make(svg, "line", { class: "grid", x1: 60, x2: w - 20, y1: y(v), y2: y(v) }); make(svg, "text", { x: 54, y: y(v) + 4, "text-anchor": "end" }, number(v) + " %"); }
    make(svg, "text", { x: w - 20, y: h - 6, "text-anchor": "end" }, "core-hours →");
    make(svg, "text", { x: 60, y: 6, "text-anchor": "start" }, "↑ unserved");
    data.front.forEach((f) => {
      const g = make(svg, "g", { class: f.asItIs ? "c1" : f.best ? "c2" : "c0" });
      const dot = make(g, "circle", { class: "dot" + (f.best ? " ring" : ""), cx: x(f.cost), cy: y(f.unserved), r: f.best || f.asItIs ? 8 : 6 });
      make(dot, "title", {}, `${f.name}: ${number(f.cost)} core-hours, ${number(f.unserved)} % unserved, ${f.changes} changes`);
      if (f.best || f.asItIs) make(svg, "text", { x: x(f.cost) + (x(f.cost) > w / 2 ? -12 : 12), y: y(f.unserved) - 10, "text-anchor": x(f.cost) > w / 2 ? "end" : "start" }, f.name);
    });
  };
  byId("copy")?.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(byId("yaml").textContent); byId("copy").textContent = "Copied"; }
    catch { const range = document.createRange(); range.selectNodeContents(byId("yaml")); getSelection().removeAllRanges(); getSelection().addRange(range); byId("copy").textContent = "Selected"; }
  });

  const all = () => { draw(); drawFront(); };
  all();
  let last = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== last) { last = innerWidth; all(); } });
})();
