// What was learned of a workload: the week as a heat map, targets over time, what was
// said of demand that may come and what came, and what is not known yet.
import { h } from "./dom.js";
import { query, request } from "./api.js";
import { amount, inUnit, moment } from "./format.js";
import { toDecision, toWorkload } from "./route.js";
import { framed, redrawing } from "./lanes.js";
import { lane } from "./plots.js";
import { onTheme } from "./theme.js";

const two = (n) => String(n).padStart(2, "0");

async function ask(key, signal) {
  return (await request(`/api/learned?${query(key)}`, { signal })).json();
}

const section = (title, ...children) => h("section", { "aria-label": title }, h("h2", {}, title), ...children);

// scrolling is a table that may be wider than the page.
const scrolling = (label, kind, titles, rows) => h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": label },
  h("table", { class: kind }, h("thead", {}, h("tr", {}, titles.map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, rows)));

// slot is an hour of the week: the darker the more pods were ready, with its bounds.
function slot(s, now, most) {
  if (!s.known) {
    const by = `known by ${moment(s.by)}`;
    return h("td", { class: now ? "unknown now" : "unknown", title: by }, "–", h("span", { class: "hidden" }, ` ${by}`));
  }
  const title = `${moment(s.at)}: at most ${s.value} ready, so at least ${s.min} and at most ${s.max}`;
  return h("td", { class: now ? "now" : null, style: { "--heat": `${Math.round(45 * (s.value / most))}%` }, title },
    h("strong", {}, s.value), " ", h("small", {}, `${s.min}..${s.max}`), now && h("span", { class: "hidden" }, " now"));
}

// heat is the week.
function heat(got) {
  const most = Math.max(1, ...got.slots.flat().map((s) => s.value));
  const length = got.hours.length > 1 ? (got.hours[1] - got.hours[0]) * 3600_000 : 86400_000;
  const cell = (s) => slot(s, s.at <= got.now && got.now < s.at + length, most);
  return scrolling("The week", "heat", ["Hour", ...got.days],
    got.hours.map((hour, i) => h("tr", {}, h("th", { scope: "row" }, `${two(hour)}:00`), got.slots[i].map(cell))));
}

// progress is how far it has come, in the words of tidemark learn.
function progress(got) {
  const last = got.last ? `, the last will be by ${moment(got.last)}` : "", first = got.first ? `, the first will be by ${moment(got.first)}` : "";
  return `${got.phase}: ${got.known} of ${got.count} slots are known${first}${last}. Hours are those of ${got.zone}.`;
}

// uses are what the object uses of it, and what the last decision took.
const uses = (got, key) => section("What it is used for",
  h("ul", { class: "uses" }, got.uses.map((u) => h("li", { class: u.on ? "on" : "off" }, u.on ? "on: " : "off: ", u.what, " ", h("code", {}, u.field)))),
  got.steps.length ? h("ul", { "aria-label": "The last decision" }, got.steps.map((s) => h("li", {}, s))) : "",
  h("p", {}, h("a", { href: toDecision(key, "last") }, "The last decision"), " · ", h("a", { href: toWorkload(key) }, "The workload over time")));

const hours = (got) => h("section", { "aria-label": "The hours" },
  h("h2", {}, got.days.length > 1 ? "The hours of the week" : "The hours of the day"),
  h("p", {}, progress(got), " ", h("span", { class: "quiet" }, "Each shows the most pods that were ready, and the bounds min..max that follow.")), heat(got));

// moves are the moments at which a target became another.
function moves(t, key) {
  const same = t.low.join() === t.high.join();
  if (t.at.length === 1) return h("p", { class: "quiet" }, `${inUnit(t.high[0], t.unit)} all the time.`);
  const value = (i) => (same ? inUnit(t.high[i], t.unit) : `${inUnit(t.low[i], t.unit)} to ${inUnit(t.high[i], t.unit)}`);
  return h("details", {}, h("summary", {}, `It moved ${t.at.length - 1} times`),
    h("ol", { class: "changes" }, t.at.map((at, i) => h("li", {}, h("a", { href: toDecision(key, at) }, moment(at)), " ", value(i)))));
}

// target is a target as steps, each until the next and the last until now.
function target(t, got) {
  const same = t.low.join() === t.high.join();
  const hold = (values) => { const all = [...values, values.at(-1)]; return { min: all, max: all }; };
  const high = { label: same ? "target" : "high", color: "expected", steps: true, width: 1.75, ...hold(t.high) };
  return {
    times: [...t.at, got.now].map((ms) => ms / 1000), range: [got.from / 1000, got.now / 1000], format: (v) => inUnit(v, t.unit),
    series: same ? [high] : [{ label: "low", color: "demand", steps: true, ...hold(t.low) }, high],
  };
}

const share = (r) => (100 * r.beyond) / r.cases;

// outcome says how often demand was more than was said.
function outcome(risks) {
  const sum = (of) => risks.reduce((all, r) => all + of(r), 0);
  const all = { cases: sum((r) => r.cases), beyond: sum((r) => r.beyond) };
  const within = sum((r) => r.within * r.cases) / all.cases, stated = sum((r) => r.stated * r.cases) / all.cases;
  return `It was said ${all.cases.toLocaleString("en-US")} times how much demand would be at most, ${amount(within)} s later on average, ` +
    `but for ${amount(stated)} of 100 cases. It was more in ${amount(share(all))} of 100.`;
}

const daily = (risks) => h("details", {}, h("summary", {}, "Day by day"), scrolling("Day by day", "plain numbers", ["Day", "Cases", "Said", "Happened"],
  risks.map((r) => h("tr", {}, h("th", { scope: "row" }, moment(r.day).slice(0, 14)), h("td", {}, r.cases),
    h("td", {}, `${amount(r.stated)} %`), h("td", {}, `${amount(share(r))} %`)))));

export function learned(main, [namespace, name]) {
  const key = { namespace, name }, stop = new AbortController();
  let got = null, plots = [];
  const status = h("p", { class: "quiet", role: "status" }, "Looking at what was learned…"), place = h("div", { class: "learned" });
  main.append(h("h1", {}, "What is known of ", h("span", { class: "namespace" }, namespace + "/"), name), status, place);

  const onPick = (ms) => { location.hash = toDecision(key, Math.round(ms)); };
  function panel(into, title, spec) {
    plots.push(lane(framed(into, "h3", title, spec.series), { height: 150, sync: `learned ${namespace}/${name}`, onZoom: () => {}, onPick, ...spec }));
  }

  function targets(into) {
    const moving = got.targets.filter((t) => t.at.length);
    if (!moving.length) into.append(h("p", {}, "No metric has a target."));
    for (const t of moving) {
      panel(into, `Target of ${t.name}`, target(t, got));
      into.append(moves(t, key));
    }
  }

  // risks compare what was said with what came.
  function risks(into) {
    if (!got.risks.length) { into.append(h("p", {}, "Nothing was said of demand that may come: that takes spec.learn.headroom.")); return; }
    into.append(h("p", {}, outcome(got.risks)));
    const times = got.risks.map((r) => r.day / 1000), line = (of) => { const v = got.risks.map(of); return { min: v, max: v }; };
    const series = [{ label: "said", color: "expected", dash: [4, 3], ...line((r) => r.stated) },
      { label: "happened", color: "demand", width: 1.75, ...line(share) }];
    const title = "Demand beyond what was said, in % of the cases of a day";
    if (got.risks.length > 1) panel(into, title, { times, range: [times[0], times.at(-1)], format: (v) => `${amount(v)} %`, series });
    into.append(daily(got.risks));
  }

  function draw() {
    for (const p of plots) p.destroy();
    plots = [];
    if (!got) return;
    status.textContent = [`From ${moment(got.from)} to ${moment(got.now)}.`, got.note].filter(Boolean).join(" ");
    const on = section("Targets over time"), risk = section("What was said and what came");
    place.replaceChildren(uses(got, key), hours(got), on, risk);
    targets(on);
    risks(risk);
  }

  ask(key, stop.signal).then((found) => { got = found; draw(); }, (e) => {
    if (e.name === "AbortError") return;
    status.replaceChildren(h("span", { class: "problem", role: "alert" }, e.message), " ", h("a", { href: toWorkload(key) }, "Back to the workload"));
  });
  const stops = [redrawing(place, draw), onTheme(draw)];
  return () => { for (const s of stops) s(); stop.abort(); for (const p of plots) p.destroy(); };
}
