// Keys for what the mouse does. A page adds its own by an element that has the
// attribute data-key: pressing the key clicks it.
import { $, h } from "./dom.js";

const help = [
  ["/", "search"], ["j, k", "next and previous row"], ["Enter", "open"], ["f", "fleet"], ["t", "light or dark"],
  ["← →", "move along the time"], ["+ −", "zoom"], ["0", "all of the time"], [", .", "read the moment before and after"],
  ["p, n", "previous and next decision"], ["Ctrl Space", "complete, in the editor"], ["Esc, Tab", "leave the editor"], ["?", "this list"],
];

function box() {
  const dialog = h("dialog", { class: "keys", "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, "Keys"),
    h("dl", {}, help.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
    h("p", {}, h("a", { href: "/licenses.txt", target: "_blank", rel: "noopener" }, "Licenses of what these pages are made of")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// rows walks along the links of a table.
function walk(by) {
  const table = $("[data-rows]");
  if (!table) return false;
  table.dispatchEvent(new CustomEvent("walk", { detail: by }));
  return true;
}

// typing tells whether keys belong to an element: also to one of a shadow root.
const typing = (element) => /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) || element.isContentEditable;

export function keys() {
  $("#keys").addEventListener("click", box);
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e.composedPath()[0]) || $("dialog[open]")) return;
    const own = document.querySelector(`[data-key~="${CSS.escape(e.key)}"]`);
    if (own) own.click();
    else if (e.key === "?") box();
    else if (e.key === "/" && $("#search")) $("#search").focus();
    else if (e.key === "f") location.hash = "#/";
    else if (e.key === "t") $("#theme").click();
    else if ((e.key === "j" || e.key === "k") && walk(e.key === "j" ? 1 : -1)) { /* it walked */ } else return;
    e.preventDefault();
  });
}
