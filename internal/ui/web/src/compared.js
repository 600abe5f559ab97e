// How policies did beside one another: the score sheet, and where two of them differ.
import { h } from "./dom.js";
import { amount, moment } from "./format.js";

const hour = 3600_000;

// roles are the policies that are compared: what each is called, and its color. A usual HPA
// is there until the best one is known.
const all = [["edited", "edited", "demand"], ["present", "present", "capacity"], ["hpa", "best HPA", "expected"], ["usual", "HPA", "expected"]];
export const rolesOf = (now) => all.filter(([r]) => now[r] && !(r === "usual" && now.hpa));

const region = (label, ...children) => h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": label }, ...children);
const titled = (titles) => h("thead", {}, h("tr", {}, titles.map((t) => h("th", { scope: "col" }, t))));

// sheet is the score sheet, with the numbers that anyone has.
export function sheet(now) {
  const there = rolesOf(now);
  const titles = there[0] ? now[there[0][0]].numbers.map((n) => n.title).filter((_, i) => there.some(([r]) => now[r].numbers[i].shown)) : [];
  const cell = (r, title) => now[r].numbers.find((n) => n.title === title).text;
  const head = ([r, label, color]) => h("th", { scope: "col" }, h("span", { class: "key" },
    h("i", { class: "block", style: { "--c": `var(--${color})` } }), label.endsWith("HPA") ? `${label}, ${now[r].name}` : label));
  const row = (t) => h("tr", {}, h("th", { scope: "row" }, t), there.map(([r]) => h("td", {}, cell(r, t))));
  return region("Score sheet", h("table", { class: "plain numbers" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "POLICY"), there.map(head))), h("tbody", {}, titles.map(row))),
  now.hpa ? "" : h("p", { class: "quiet" }, "Looking for the best HPA in hindsight…"));
}

const decided = (d) => `${d.replicas}${d.cpu ? ` x ${amount(d.cpu)}` : ""} ${d.reason}${d.limitedBy ? `, limited by ${d.limitedBy}` : ""}`;
const minutes = (ms) => (ms < 90 * 60_000 ? `${amount(ms / 60_000)} min` : `${amount(ms / hour)} h`);

// differences are the times in which two policies decide otherwise; explain is called for a
// moment that someone asks about.
export function differences(d, explain) {
  if (!d) return "";
  if (!d.times) return h("p", {}, "Both decide the same all the time.");
  const all = d.times <= d.largest.length, of = all ? "" : `${d.largest.length} of ${d.times} times, `;
  const ask = (o) => h("button", { type: "button", click: () => explain(o.at), "aria-label": `Why the edited object decides so at ${moment(o.at)}` }, "why?");
  const row = (o) => h("tr", {}, h("th", { scope: "row" }, moment(o.from)), h("td", {}, minutes(o.until - o.from)),
    h("td", {}, (o.coreHours > 0 ? "+" : "") + amount(o.coreHours)), h("td", {}, decided(o.present)), h("td", {}, decided(o.edited)), h("td", {}, ask(o)));
  return h("section", { "aria-label": "Where they differ" },
    h("h2", {}, `Where they differ${all ? "" : " most"}: ${of}${amount(d.share)} % of the time`),
    region("Times in which they differ", h("table", { class: "plain" },
      titled(["From", "For", "Core-hours", "Present, when furthest apart", "Edited", "Why"]), h("tbody", {}, d.largest.map(row)))));
}
