// What lint finds, in words.
import { h } from "./dom.js";

// findings lists what was found; a line that is asked for is gone to, where that is possible.
export function findings(list, goTo) {
  const line = (f) => {
    if (!f.line) return "";
    const text = `line ${f.line}`;
    return goTo ? h("a", { href: location.hash, click: (e) => { e.preventDefault(); goTo(f.line); } }, text) : text;
  };
  return h("ul", { "aria-label": "Findings" }, list.map((f) => h("li", { class: f.severity }, h("strong", {}, f.severity), " ", line(f), " ",
    f.rule && h("span", { class: "word" }, f.rule), " ", f.path && h("code", {}, f.path), " ", f.message,
    f.fix && h("span", { class: "quiet" }, " " + f.fix))));
}
