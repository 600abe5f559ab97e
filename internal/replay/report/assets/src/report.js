import { scatter } from "../../../../ui/web/src/plots.js";
import { bands, htmlNode, newPanels, numberText, svgNode } from "./panels.js";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const make = svgNode, html = htmlNode, number = numberText;
  const { least, most, varies, known, peak } = bands;

  // The theme: the system's, until the button is pressed.
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  // What is drawn on a canvas is drawn again in other colors.
  const setTheme = (name) => { root.dataset.theme = name; if (drawn) all(); };
  let drawn = false, printed = "";
  setTheme(system.matches ? "dark" : "light");
  system.addEventListener("change", () => setTheme(system.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
  addEventListener("beforeprint", () => { printed = root.dataset.theme; if (printed === "dark") setTheme("light"); });
  addEventListener("afterprint", () => { if (printed === "dark") setTheme("dark"); });

  const hidden = new Set();
  let focus = Math.max(0, data.runs.findIndex((r) => known(r.value)));
  const moment = (ms) => new Date(ms).toISOString().replace("T", " ").slice(0, 16);
  const shown = (of) => data.runs.map((r, i) => ({ band: of(r), as: "band", color: "c" + (i % 8), run: i })).filter((l) => known(l.band) && !hidden.has(l.run));

  // Replicas are worth a panel where they say something that the capacity does not: with pods
  // that keep their size it is the same line in another unit.
  const likeCapacity = (r) => {
    if (!known(r.capacity) || !known(r.replicas)) return true;
    if (varies(r.cpu)) return false;
    const each = peak(r.capacity) / (peak(r.replicas) || 1), far = peak(r.capacity) * 0.12;
    let apart = 0;
    for (let i = 0; i < data.columns; i++) if (Math.abs(most(r.capacity, i) - each * most(r.replicas, i)) > far) apart++;
    return apart <= data.columns * 0.05;
  };
  const alike = data.runs.every(likeCapacity);
  const perPod = data.runs.map((r) => peak(r.capacity) / (peak(r.replicas) || 1));
  const podText = alike && perPod.length && perPod.every((v) => Math.abs(v - perPod[0]) < 0.02 * perPod[0]) ? ` · a pod is ${number(perPod[0])}` : "";

  // The panels: one for each question, all on the same axis of time.
  const panels = () => {
    const chosen = data.runs[focus], out = [];
    const lost = chosen && !hidden.has(focus) && known(data.demand) && known(chosen.capacity) ? [{ band: data.demand, low: chosen.capacity, as: "lost" }] : [];
    out.push({ title: "Demand and capacity", unit: "cores", height: 230, note: `cores${podText} · red is demand above the capacity of ${chosen?.name ?? ""}`,
      layers: [...(known(data.demand) ? [{ band: data.demand, as: "area" }] : []), ...shown((r) => r.capacity), ...lost] });
    if (!alike) out.push({ title: "Replicas", unit: "pods", height: 150, note: "pods", layers: shown((r) => r.replicas) });
    if (chosen && known(chosen.value)) {
      const goal = known(chosen.high) && known(chosen.low) ? [{ band: chosen.high, low: chosen.low, as: "goal" }] : [];
      const own = hidden.has(focus) ? [] : [{ band: chosen.value, as: "band", color: "c" + (focus % 8), run: focus }];
      out.push({ title: "Metric in its band", unit: chosen.percent ? "%" : "", height: 150,
        note: chosen.metric + (chosen.percent ? ", percent of the request" : "") + " · " + chosen.name, layers: [...goal, ...own] });
    }
    if (data.runs.some((r) => varies(r.cpu))) out.push({ title: "Request of a pod", unit: "cores", height: 90, note: "cores", layers: shown((r) => r.cpu) });
    if (data.runs.some((r) => varies(r.memory))) out.push({ title: "Memory of a pod", unit: "GiB", height: 90, note: "GiB", layers: shown((r) => r.memory) });
    return out;
  };

  // Marks: the decisions of one policy, up or down. Those that would overlap are one mark with
  // their number, which zooms in.
  const drawMarks = (host) => {
    const r = data.runs[focus];
    if (!r) return;
    const box = html(host, "div", { class: "panel" });
    const head = html(box, "h3", {}, "Decisions");
    html(head, "small", {}, `${r.decisions.length} of ${r.name} changed the size` + (r.leftOut ? `; ${r.leftOut} later ones are not listed` : ""));
    const svg = make(box, "svg", { class: "chart", height: 44, viewBox: `0 0 ${plot.width()} 44`, role: "group", "aria-label": "Decisions of " + r.name });
    make(svg, "line", { class: "axis", x1: plot.left, x2: plot.width() - plot.right, y1: 22, y2: 22 });
    const groups = [];
    r.decisions.forEach((d, n) => {
      if (d.at < plot.from() || d.at > plot.to()) return;
      const x = plot.x(d.at), last = groups[groups.length - 1];
      if (last && x - last.z < 11) { last.z = x; last.to = n; } else groups.push({ a: x, z: x, from: n, to: n });
    });
    groups.forEach((g, k) => drawMark(svg, r, g, k === 0));
    svg.addEventListener("keydown", (e) => {
      const marks = [...svg.querySelectorAll(".mark")], now = marks.indexOf(e.target);
      const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: marks.length - 1, PageDown: now + 10, PageUp: now - 10 }[e.key];
      if (e.key === "Enter") return e.target.dispatchEvent(new Event("click"));
      if (to === undefined || now < 0) return;
      e.preventDefault();
      const next = marks[Math.min(Math.max(to, 0), marks.length - 1)];
      marks.forEach((m) => m.setAttribute("tabindex", m === next ? 0 : -1));
      next.focus();
    });
  };
  const drawMark = (svg, r, group, first) => {
    const d = r.decisions[group.from], count = group.to - group.from + 1, { a, z } = group;
    const g = make(svg, "g", { class: "mark c" + (focus % 8), role: "button", tabindex: first ? 0 : -1, "data-n": group.from, "data-count": count,
      "aria-label": moment(d.at) + " " + d.headline + (count > 1 ? ` and ${count - 1} more` : "") });
    if (count > 1) {
      make(g, "rect", { x: a - 6, width: z - a + 12, y: 9, height: 26, rx: 8 });
      if (z - a + 12 >= String(count).length * 7 + 4) make(g, "text", { x: (a + z) / 2, y: 26, "text-anchor": "middle" }, count);
    } else {
      make(g, "path", { d: d.to === d.from ? `M${a - 4},18h8v8h-8z` : d.to > d.from ? `M${a},6l5,13h-10z` : `M${a},38l5,-13h-10z` });
    }
    g.addEventListener("pointerenter", () => show(group));
    g.addEventListener("focus", () => show(group));
    g.addEventListener("click", () => {
      if (count === 1) return g.focus();
      const pad = Math.max((r.decisions[group.to].at - d.at) * 0.2, data.step);
      plot.view(d.at - pad, r.decisions[group.to].at + pad);
    });
  };

  const show = (group) => {
    const d = data.runs[focus].decisions[group.from], more = group.to - group.from, box = byId("decision");
    box.replaceChildren();
    const head = html(box, "h3", {}, d.headline + " ");
    html(head, "time", { datetime: new Date(d.at).toISOString() }, moment(d.at) + " UTC");
    if (d.text) html(box, "pre", {}, d.text.split("\n").slice(1).join("\n").replace(/^ {2}/gm, "").trimEnd());
    else html(box, "p", {}, "A yardstick gives no reasons.");
    if (more) html(box, "p", {}, `And ${more} more within this mark: choose it to zoom in.`);
    document.querySelectorAll("#plots .mark").forEach((m) => m.setAttribute("aria-current", m.dataset.n === String(group.from)));
    plot.cross(plot.x(d.at));
  };

  const tip = html(document.body, "div", { id: "tip", hidden: "" });
  const point = (i, e) => {
    tip.replaceChildren();
    html(tip, "b", {}, moment(plot.timeAt(i)) + " UTC");
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

  const plot = newPanels(byId("plots"), {
    start: data.start, step: data.step, columns: data.columns, panels, point, unpoint: () => { tip.hidden = true; },
    below: (host) => {
      const flat = data.runs.filter((r, i) => !hidden.has(i) && known(r.cpu) && !varies(r.cpu) && !varies(r.memory));
      if (flat.length === data.runs.length && flat.length) {
        const { cpu, memory } = flat[0], cores = `${number(cpu)} ${cpu === 1 ? "core" : "cores"}`;
        html(host, "p", { class: "hint" }, `Requests: every pod requests ${cores}${known(memory) ? ` and ${number(memory)} GiB` : ""} throughout.`);
      }
      drawMarks(host);
    },
    moved: (from, to, part) => {
      byId("range").textContent = moment(from) + " – " + moment(to) + " UTC";
      for (const id of ["earlier", "later", "out", "all"]) byId(id).disabled = !part;
    },
  });
  const deeds = { earlier: () => plot.move(-0.5), later: () => plot.move(0.5), in: () => plot.zoom(0.5), out: () => plot.zoom(2), all: () => plot.all() };
  for (const id in deeds) byId(id).addEventListener("click", deeds[id]);

  // The legend and the choice of the policy whose decisions are shown.
  data.runs.forEach((r, i) => {
    const b = html(byId("legend"), "button", { type: "button", "aria-pressed": "true", "data-run": i });
    html(b, "i", { class: "swatch c" + (i % 8) });
    b.append(r.name);
    b.addEventListener("click", () => {
      if (hidden.has(i)) hidden.delete(i); else hidden.add(i);
      b.setAttribute("aria-pressed", String(!hidden.has(i)));
      document.querySelectorAll(`.sheet tr[data-run="${i}"]`).forEach((tr) => tr.classList.toggle("off", hidden.has(i)));
      plot.draw();
    });
    html(byId("focus"), "option", { value: i }, r.name);
  });
  byId("focus").value = String(focus);
  byId("focus").addEventListener("change", (e) => { focus = Number(e.target.value); plot.draw(); });

  // The front of a search: cost against unserved work.
  let front = null;
  const drawFront = () => {
    const box = byId("front");
    if (!box || !data.front) return;
    box.replaceChildren();
    const points = [...data.front].sort((a, b) => a.cost - b.cost);
    const told = (f) => `${f.name}: ${number(f.cost)} core-hours, ${number(f.unserved)} % unserved, ${f.changes} changes`;
    const look = (f) => ({
      color: f.asItIs ? "c1" : f.best ? "c2" : "c0", radius: f.best || f.asItIs ? 8 : 6, ring: f.best ? "ink" : "card",
      label: f.best || f.asItIs ? f.name : "",
    });
    front?.destroy();
    front = scatter(box, { points, cost: "core-hours", format: number, look, told });
    box.setAttribute("aria-label", "Cost against unserved work of the trials. " + points.map(told).join(". "));
  };
  byId("copy")?.addEventListener("click", async () => {
    const yaml = byId("yaml");
    try {
      await navigator.clipboard.writeText(yaml.textContent);
      byId("copy").textContent = "Copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(yaml);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      byId("copy").textContent = "Selected";
    }
  });

  const all = () => { plot.draw(); drawFront(); drawn = true; };
  all();
  let last = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== last) { last = innerWidth; all(); } });
})();
