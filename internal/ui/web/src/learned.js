// What was learned of a workload: the week as a heat map, targets over time, what was
// said of demand that may come and what came, and what is not known yet.
import { h } from "./dom.js";
import { query, request } from "./api.js";
import { amount, inUnit, moment } from "./format.js";
import { toDecision, toWorkload } from "./route.js";
import { lane } from "./plots.js";
import { onTheme } from "./theme.js";

const two = (n) => String(n).padStart(2, "0");

async function ask(key, signal) {
  return (await request(`/api/learned?${query(key)}`, { signal })).json();
}

// heat is the week: each slot the darker the more pods were ready, with its bounds.
function heat(got) {
  const most = Math.max(1, ...got.slots.flat().map((s) => s.value));
  const length = got.hours.length > 1 ? (got.hours[1] - got.hours[0]) * 3600_000 : 86400_000;
  const cell = (s) => {
    const now = s.at <= got.now && got.now < s.at + length;
    if (!s.known) return h("td", { class: now ? "unknown now" : "unknown", title: `known by ${moment(s.by)}` }, "–", h("span", { class: "hidden" }, ` known by ${moment(s.by)}`));
    return h("td", { class: now ? "now" : null, style: { "--heat": `${Math.round(45 * (s.value / most))}%` }, title: `${moment(s.at)}: at most ${s.value} ready, so at least ${s.min} and at most ${s.max}` },
      h("strong", {}, s.value), " ", h("small", {}, `${s.min}..${s.max}`), now && h("span", { class: "hidden" }, " now"));
  };
  return h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": "The week" }, h("table", { class: "heat" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Hour"), got.days.map((d) => h("th", { scope: "col" }, d)))),
    h("tbody", {}, got.hours.map((hour, i) => h("tr", {}, h("th", { scope: "row" }, `${two(hour)}:00`), got.slots[i].map(cell))))));
}

// progress is how far it has come, in the words of tidemark learn.
function progress(got) {
  const last = got.last ? `, the last will be by ${moment(got.last)}` : "", first = got.first ? `, the first will be by ${moment(got.first)}` : "";
  return `${got.phase}: ${got.known} of ${got.count} slots are known${first}${last}. Hours are those of ${got.zone}.`;
}

export function learned(main, [namespace, name]) {
  const key = { namespace, name }, stop = new AbortController();
  let got = null, plots = [];
  const status = h("p", { class: "quiet", role: "status" }, "Looking at what was learned…"), place = h("div", { class: "learned" });
  main.append(h("h1", {}, "What is known of ", h("span", { class: "namespace" }, namespace + "/"), name), status, place);

  function panel(into, title, spec) {
    const at = h("div", { class: "plot" });
    into.append(h("section", { class: "lane", "aria-label": title }, h("h3", {}, title, h("span", { class: "legend" }, spec.series.map((s) =>
      h("span", { class: "key" }, h("i", { class: s.dash ? "dashed" : null, style: { "--c": `var(--${s.color})` } }), s.label)))), at));
    plots.push(lane(at, { height: 150, sync: `learned ${namespace}/${name}`, onZoom: () => {}, onPick: (ms) => { location.hash = toDecision(key, Math.round(ms)); }, ...spec }));
    plots.at(-1).over.setAttribute("aria-hidden", "true");
  }

  // targets are drawn as steps, each until the next and the last until now.
  function targets(into) {
    const moving = got.targets.filter((t) => t.at.length);
    if (!moving.length) { into.append(h("p", {}, "No metric has a target.")); return; }
    for (const t of moving) {
      const times = [...t.at, got.now].map((ms) => ms / 1000), same = t.low.join() === t.high.join();
      const hold = (values) => { const all = [...values, values.at(-1)]; return { min: all, max: all }; };
      panel(into, `Target of ${t.name}`, { times, range: [got.from / 1000, got.now / 1000], format: (v) => inUnit(v, t.unit), series: [
        !same && { label: "low", color: "demand", steps: true, ...hold(t.low) }, { label: same ? "target" : "high", color: "expected", steps: true, width: 1.75, ...hold(t.high) }].filter(Boolean) });
      into.append(t.at.length === 1 ? h("p", { class: "quiet" }, `${inUnit(t.high[0], t.unit)} all the time.`) : h("details", {}, h("summary", {}, `It moved ${t.at.length - 1} times`),
        h("ol", { class: "changes" }, t.at.map((at, i) => h("li", {}, h("a", { href: toDecision(key, at) }, moment(at)), " ", same ? inUnit(t.high[i], t.unit) : `${inUnit(t.low[i], t.unit)} to ${inUnit(t.high[i], t.unit)}`)))));
    }
  }

  // risks compare what was said with what came.
  function risks(into) {
    if (!got.risks.length) { into.append(h("p", {}, "Nothing was said of demand that may come: that takes spec.learn.headroom.")); return; }
    const share = (r) => (100 * r.beyond) / r.cases, sum = (of) => got.risks.reduce((all, r) => all + of(r), 0);
    const all = { cases: sum((r) => r.cases), beyond: sum((r) => r.beyond) }, stated = sum((r) => r.stated * r.cases) / all.cases;
    into.append(h("p", {}, `It was said ${all.cases.toLocaleString("en-US")} times how much demand would be at most, ${amount(sum((r) => r.within * r.cases) / all.cases)} s later on average, but for ${amount(stated)} of 100 cases. It was more in ${amount(share(all))} of 100.`));
    const times = got.risks.map((r) => r.day / 1000), line = (of) => { const v = got.risks.map(of); return { min: v, max: v }; };
    if (got.risks.length > 1) panel(into, "Demand beyond what was said, in % of the cases of a day", { times, range: [times[0], times.at(-1)], format: (v) => `${amount(v)} %`,
      series: [{ label: "said", color: "expected", dash: [4, 3], ...line((r) => r.stated) }, { label: "happened", color: "demand", width: 1.75, ...line(share) }] });
    into.append(h("details", {}, h("summary", {}, "Day by day"), h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": "Day by day" }, h("table", { class: "plain numbers" },
      h("thead", {}, h("tr", {}, ["Day", "Cases", "Said", "Happened"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, got.risks.map((r) => h("tr", {}, h("th", { scope: "row" }, moment(r.day).slice(0, 14)), h("td", {}, r.cases), h("td", {}, `${amount(r.stated)} %`), h("td", {}, `${amount(share(r))} %`))))))));
  }

  function draw() {
    for (const p of plots) p.destroy();
    plots = [];
    if (!got) return;
    status.textContent = [`From ${moment(got.from)} to ${moment(got.now)}.`, got.note].filter(Boolean).join(" ");
    const on = h("section", { "aria-label": "Targets over time" }, h("h2", {}, "Targets over time")), risk = h("section", { "aria-label": "What was said and what came" }, h("h2", {}, "What was said and what came"));
    place.replaceChildren(
      h("section", { "aria-label": "What it is used for" }, h("h2", {}, "What it is used for"), h("ul", { class: "uses" }, got.uses.map((u) => h("li", { class: u.on ? "on" : "off" }, u.on ? "on: " : "off: ", u.what, " ", h("code", {}, u.field)))),
        got.steps.length ? h("ul", { "aria-label": "The last decision" }, got.steps.map((s) => h("li", {}, s))) : "", h("p", {}, h("a", { href: toDecision(key, "last") }, "The last decision"), " · ", h("a", { href: toWorkload(key) }, "The workload over time"))),
      h("section", { "aria-label": "The hours" }, h("h2", {}, got.days.length > 1 ? "The hours of the week" : "The hours of the day"), h("p", {}, progress(got), " ", h("span", { class: "quiet" }, "Each shows the most pods that were ready, and the bounds min..max that follow.")), heat(got)), on, risk);
    targets(on);
    risks(risk);
  }

  ask(key, stop.signal).then((found) => { got = found; draw(); }, (e) => {
    if (e.name !== "AbortError") status.replaceChildren(h("span", { class: "problem", role: "alert" }, e.message), " ", h("a", { href: toWorkload(key) }, "Back to the workload"));
  });
  const watch = new ResizeObserver(() => { if (got && Math.abs(watch.width - place.clientWidth) > 1) { watch.width = place.clientWidth; draw(); } });
  watch.width = 0;
  watch.observe(place);
  const quiet = onTheme(draw);
  return () => { quiet(); stop.abort(); watch.disconnect(); for (const p of plots) p.destroy(); };
}
