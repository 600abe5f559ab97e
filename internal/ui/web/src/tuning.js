// A search for better numbers: each policy that it tried is a point of cost against
// unserved work.
import { h, say } from "./dom.js";
import { tune } from "./tries.js";
import { amount } from "./format.js";
import { redrawing } from "./lanes.js";
import { scatter } from "./plots.js";

const about = "A search tries other numbers of this object on three quarters of the last week, and checks what it found on the rest, " +
  "as tidemark tune does. What lint warns of is never proposed.";

// words are the numbers of a policy that are others than those of the object.
function words(settings) {
  const all = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return all.map(([k, v]) => `${k}=${v}`).join(", ") || "as it is";
}

const told = (p) => `${amount(p.cost)} core-hours, ${p.unserved.toFixed(3)} % unserved, ${p.changes} changes: ${words(p.settings)}`;

// summary says what a search did.
const summary = (found) => `${found.evaluations} policies tried, ${found.refused} refused as invalid, ` +
  `${found.warned} because lint warns of them. Objective: ${found.objective}`;

// look is how a policy is drawn: the best, the present one, those that nothing beats, and the rest.
const look = (found) => (p) => {
  if (found && p.yaml === found.best.yaml) return { color: "expected", radius: 6, ring: "text", label: "best" };
  if (!Object.keys(p.settings).length) return { color: "capacity", radius: 6, ring: "text", label: "as it is" };
  return found?.front.some((o) => o.yaml === p.yaml) ? { color: "demand", radius: 4.5 } : { color: "demand-soft", radius: 3 };
};

const titles = ["Policy", "Core-hours", "Unserved", "Changes", "On the rest", "Numbers", "Try"];

// policies is a table of policies with their labels.
function policies(list, use) {
  const row = ([p, label]) => h("tr", {}, h("th", { scope: "row" }, label), h("td", {}, amount(p.cost)), h("td", {}, `${p.unserved.toFixed(3)} %`),
    h("td", {}, p.changes), h("td", {}, p.heldOut ? `${amount(p.heldOut.cost)}, ${p.heldOut.unserved.toFixed(3)} %` : "–"),
    h("td", { class: "wrap" }, words(p.settings)),
    h("td", {}, h("button", { type: "button", "aria-label": `Edit ${label}`, click: () => use(p.yaml) }, "Edit")));
  return h("div", { class: "scroll flat", tabindex: "0", role: "region", "aria-label": "Policies" }, h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, titles.map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, list.map(row))));
}

export function tuning(key, edit, use) {
  let running = null, points = [], found = null, plot = null, chosen = null, due = 0;
  const status = h("p", { class: "quiet", role: "status" }), place = h("div", { class: "plot scatter" }), list = h("div", {});
  const begin = h("button", { type: "button", click: () => (running ? running.abort() : go()) }, "Tune");
  const element = h("section", { "aria-label": "Tune" }, h("h2", {}, "Better numbers"), h("p", { class: "quiet" }, about),
    h("div", { class: "bar-of-tools" }, begin, status), place, list);

  function draw() {
    plot?.destroy();
    plot = points.length ? scatter(place, { points, cost: "billed core-hours", format: amount, look: look(found), told, onPick: choose }) : null;
  }

  function choose(p) {
    chosen = p;
    listed();
    say(told(p));
  }

  // listed are the policies in words: those that nothing beats, and the one that was chosen.
  function listed() {
    const rest = (found?.front ?? []).filter((p) => p.yaml !== found.best.yaml && Object.keys(p.settings).length);
    const all = [found && [found.best, "best"], found && [found.base, "as it is"], ...rest.map((p, i) => [p, `unbeaten ${i + 1}`])];
    const there = [...all, chosen && [chosen, "chosen"]].filter(Boolean);
    list.replaceChildren(...(there.length ? [policies(there, use)] : []), ...(found?.warnings ?? []).map((w) => h("p", { class: "quiet" }, w)));
  }

  function hear(line) {
    if (line.checked && !line.checked.valid) status.textContent = "This cannot be replayed: see the findings.";
    if (line.point) {
      points.push(line.point);
      status.textContent = `${points.length} policies tried`;
      due ||= setTimeout(() => { due = 0; draw(); }, 200);
    }
    if (line.tuned) {
      found = line.tuned;
      status.textContent = summary(found);
    }
  }

  async function go() {
    const mine = running = new AbortController();
    points = [];
    found = chosen = null;
    begin.textContent = "Stop";
    status.textContent = "Searching…";
    listed();
    try {
      await tune({ ...key, ...edit(), evaluations: 60 }, mine.signal, hear);
      draw();
      listed();
    } catch (e) {
      if (e.name !== "AbortError") status.textContent = e.message;
      else status.textContent += ": stopped";
    } finally {
      running = null;
      begin.textContent = "Tune";
    }
  }

  const still = redrawing(place, draw);
  return { element, draw, stop: () => { still(); clearTimeout(due); running?.abort(); plot?.destroy(); } };
}
