// A lane of a page: its title, what its colors mean, and where it is drawn.
import { h } from "./dom.js";

const key = (s) => h("span", { class: "key" }, h("i", { class: s.dash ? "dashed" : null, style: { "--c": `var(--${s.color})` } }), s.label);

// framed puts a lane into an element and returns where to plot it. The title is a heading
// of the given level.
export function framed(into, level, title, series, ...below) {
  const place = h("div", { class: "plot" });
  const legend = h("span", { class: "legend" }, series.filter((s) => s.label).map(key));
  into.append(h("section", { class: "lane", "aria-label": title }, h(level, {}, title, legend), place, ...below));
  return place;
}

// redrawing draws an element again when its width becomes another, and returns how to
// stop that.
export function redrawing(element, draw) {
  let width = element.clientWidth;
  const watch = new ResizeObserver(() => {
    if (Math.abs(width - element.clientWidth) <= 1) return;
    width = element.clientWidth;
    draw();
  });
  watch.observe(element);
  return () => watch.disconnect();
}
