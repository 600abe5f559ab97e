// Changes of an object, where the server allows them. Each is told in full first, and
// made only when it has been confirmed; the server makes it as whoever has the token.
import { h, say } from "./dom.js";
import { change, object } from "./api.js";
import { diff } from "./diff.js";

const modes = ["Auto", "Recommend", "Off", "Emergency"];

// confirm shows a dialog, and resolves once it is closed: with what inside says at
// that moment, or null where nobody confirmed.
function confirm(title, verb, inside, value) {
  return new Promise((done) => {
    const problem = h("p", { class: "problem", role: "alert" });
    const dialog = h("dialog", { class: "change", "aria-labelledby": "change-title" }, h("h2", { id: "change-title" }, title), inside, problem,
      h("form", { method: "dialog", class: "bar-of-tools" }, h("button", { value: "yes", class: "confirm" }, verb), h("button", { value: "" }, "Cancel")));
    dialog.addEventListener("close", () => { dialog.remove(); done(dialog.returnValue === "yes" ? value() : null); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// tell shows what came of a change.
function tell(place, text, bad) {
  place.replaceChildren(h("span", { class: bad ? "problem" : "quiet" }, text));
  say(text);
}

// lines is the difference of two texts: what goes and what comes.
const lines = (before, after) => diff(before, after).filter(([sign]) => sign !== " ").map(([sign, line]) => `${sign} ${line}`).join("\n");

// make asks for the object as it is, lets someone confirm, and makes the change.
async function make(key, place, plan) {
  try {
    const now = await object(key);
    const asked = await plan(now);
    if (!asked) return;
    await change({ ...key, ...asked, version: now.version });
    tell(place, "Done. The next decision shows it.");
  } catch (e) {
    tell(place, e.message, true);
  }
}

// applied asks whether another spec is to be applied, by what changes in it.
const applied = (key, now, spec) => confirm(`Apply this to ${key.namespace}/${key.name}?`, "Apply",
  h("pre", { tabindex: "0" }, lines(now.spec, spec) || "Nothing changes."), () => ({ action: "apply", spec }));

// apply lets someone confirm another spec of an object.
export const apply = (key, place, spec) => make(key, place, (now) => applied(key, now, spec));

function edit(key, place) {
  return make(key, place, async (now) => {
    const field = h("textarea", { class: "spec", rows: "20", spellcheck: "false", "aria-label": "Spec" });
    field.value = now.spec;
    const spec = await confirm(`Spec of ${key.namespace}/${key.name}`, "Compare", field, () => field.value);
    if (spec === null) return null;
    return applied(key, now, spec);
  });
}

// field is something to be filled in, with its label.
const field = (label, element) => [h("label", { for: element.id }, label), element];
const option = (now) => ([value, text]) => h("option", { value, selected: value === now }, text);

const kinds = [["true", "everything"], ["in", "scaling in"], ["out", "scaling out"]];

// untilOf is the end of a pause, in the words of the annotation.
const untilOf = (value) => value && `until=${value}${value.length === 16 ? ":00" : ""}Z`;

function pause(key, place) {
  const id = `${key.namespace}/${key.name}`;
  return make(key, place, (now) => {
    if (now.paused && now.paused !== "false") {
      return confirm(`Resume ${id}?`, "Resume", h("p", {}, `It is paused: ${now.paused}.`), () => ({ action: "resume" }));
    }
    const what = h("select", { id: "pause-what" }, kinds.map(option("true")));
    const count = h("input", { id: "pause-count", type: "number", min: "0", placeholder: "as it is" });
    const until = h("input", { id: "pause-until", type: "datetime-local" });
    const inside = h("div", { class: "fields" }, field("What", what), field("At a count", count), field("Until (UTC)", until));
    const words = () => [count.value || what.value, untilOf(until.value)].filter(Boolean).join(" ");
    return confirm(`Pause ${id}?`, "Pause", inside, () => ({ action: "pause", pause: words() }));
  });
}

function mode(key, place) {
  return make(key, place, (now) => {
    const choice = h("select", { id: "mode-choice" }, modes.map((m) => [m, m]).map(option(now.mode)));
    const inside = h("div", { class: "fields" }, field(`It is ${now.mode}, and becomes`, choice));
    return confirm(`Mode of ${key.namespace}/${key.name}`, "Change the mode", inside, () => ({ action: "mode", mode: choice.value }));
  });
}

// changes are the buttons.
export function changes(key) {
  const place = h("span", {});
  const button = (text, act) => h("button", { type: "button", click: () => act(key, place) }, text);
  return h("div", { class: "bar-of-tools", role: "group", "aria-label": "Change" },
    button("Pause or resume…", pause), button("Mode…", mode), button("Spec…", edit), place);
}
