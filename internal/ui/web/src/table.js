// A table of any length: only the rows that are seen are elements. All rows have
// one height, so a place in the list is a place on the screen.
import { h, keeping } from "./dom.js";

const beyond = 8;

// printed is how many rows go on paper: more than that nobody reads there, and a browser
// takes minutes for them.
const printed = 1000;

// table returns an element and how to give it rows. Columns have a title, a class,
// how to make a cell, and by what to sort.
export function table({ label, columns, sort, onSort, cells, group }) {
  const head = h("tr", {});
  const body = h("tbody", {});
  const grid = h("table", { class: "rows", "data-rows": true }, h("caption", { class: "hidden" }, label), h("thead", {}, head), body);
  const rest = h("p", { class: "printed quiet" });
  const scroll = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, grid, rest);
  let items = [], height = 0, first = -1, last = -1, stale = true, printing = false;
  const shown = new Map();

  function titles() {
    head.replaceChildren(...columns.map((c) => h("th", {
      scope: "col", class: c.class,
      "aria-sort": sort.by === c.id ? (sort.down ? "descending" : "ascending") : null,
    }, c.sort ? h("button", { type: "button", title: c.help, click: () => { onSort(c.id); keeping(head, titles); } }, c.title,
      h("span", { class: "arrow", "aria-hidden": "true" }, sort.by === c.id ? (sort.down ? " ↓" : " ↑") : "")) : h("span", { title: c.help }, c.title))));
  }

  const spacer = (rows) => h("tr", { class: "space", "aria-hidden": "true", style: { height: `${rows * height}px` } }, h("td", { colspan: columns.length }));

  // seen is which rows are drawn: those in the window and some beyond, or all that are printed.
  function seen() {
    if (printing) return [0, Math.min(items.length, printed)];
    // A list that has become shorter has not been drawn yet, and so still scrolls.
    const top = Math.max(0, Math.min(scroll.scrollTop, items.length * height - scroll.clientHeight));
    return [Math.max(0, Math.floor(top / height) - beyond), Math.min(items.length, Math.ceil((top + scroll.clientHeight) / height) + beyond)];
  }

  function paint() {
    height ||= parseFloat(getComputedStyle(grid).getPropertyValue("--row")) || 44;
    const [from, to] = seen();
    if (!stale && from === first && to === last) return;
    [first, last, stale] = [from, to, false];
    const on = body.contains(document.activeElement) ? document.activeElement : null;
    const focused = on?.closest("tr")?.dataset.id, place = focused ? [...on.closest("tr").querySelectorAll("a")].indexOf(on) : -1;
    const rows = [];
    for (let i = from; i < to; i++) rows.push(row(items[i], i));
    const now = new Set(rows.map((r) => r.dataset.id));
    for (const id of shown.keys()) if (!now.has(id)) shown.delete(id);
    const children = [spacer(from), ...rows, spacer(printing ? 0 : items.length - to)];
    // Elements that stay are not touched, so that the focus stays too.
    const same = body.children.length === children.length && rows.every((r, i) => body.children[i + 1] === r);
    if (!same) {
      body.replaceChildren(...children);
      // A row that is not drawn any more leaves the focus to the table.
      const to = focused && (shown.get(focused)?.element.querySelectorAll("a")[Math.max(place, 0)] ?? scroll);
      if (to && document.activeElement !== to) to.focus({ preventScroll: true });
    } else {
      body.firstChild.replaceWith(children[0]);
      body.lastChild.replaceWith(children.at(-1));
    }
    // What is measured once holds for all rows of this drawing.
    const known = {};
    for (const { after } of shown.values()) after?.(known);
  }

  function row(item, i) {
    const old = shown.get(item.id);
    if (old && old.item === item && old.mark === item.mark) {
      old.element.setAttribute("aria-rowindex", i + 2);
      return old.element;
    }
    const made = item.title !== undefined ? { element: group(item, columns.length) } : cells(item);
    made.element.dataset.id = item.id;
    made.element.setAttribute("aria-rowindex", i + 2);
    shown.set(item.id, { ...made, item, mark: item.mark });
    return made.element;
  }

  // walk moves the focus along the rows.
  grid.addEventListener("walk", (e) => {
    const at = items.findIndex((x) => x.id === document.activeElement?.closest?.("tr")?.dataset.id);
    let to = at < 0 ? 0 : at + e.detail;
    while (items[to]?.title !== undefined) to += e.detail || 1;
    if (!items[to]) return;
    const y = to * height;
    if (y < scroll.scrollTop) scroll.scrollTop = y;
    else if (y + 3 * height > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = y + 3 * height - scroll.clientHeight;
    paint();
    shown.get(items[to].id)?.element.querySelector("a")?.focus();
  });
  scroll.addEventListener("scroll", () => paint(), { passive: true });
  const watch = new ResizeObserver(() => { stale = true; paint(); });
  watch.observe(scroll);
  const print = (now) => {
    printing = now;
    const count = (n) => n.toLocaleString("en-US");
    rest.textContent = now && items.length > printed ? `These are the first ${count(printed)} of ${count(items.length)} rows. CSV saves all of them.` : "";
    stale = true;
    paint();
  };
  const before = () => print(true), after = () => print(false);
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  titles();
  return {
    element: scroll,
    set(next) {
      items = next;
      grid.setAttribute("aria-rowcount", items.length + 1);
      stale = true;
      paint();
    },
    redraw() { shown.clear(); stale = true; paint(); },
    stop() {
      watch.disconnect();
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    },
  };
}
