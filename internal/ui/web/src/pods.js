// Pods as squares, each by its state.
import { h } from "./dom.js";

const kind = (p) => `pod ${p.state.replaceAll(" ", "-")}`;

// counted says how many pods are in each state.
export const counted = (pods) => [...Map.groupBy(pods, (p) => p.state)].map(([state, list]) => `${list.length} ${state}`).join(", ");

// seenPods shows pods that were seen, as far as anyone counts squares.
export function seenPods(pods) {
  const text = counted(pods);
  return h("p", { class: "pods", role: "img", "aria-label": `Pods: ${text}` },
    pods.slice(0, 400).map((p) => h("span", { class: kind(p), title: `${p.name}: ${p.words}` })), h("span", { class: "quiet" }, ` ${text}`));
}

// countedPods shows pods of which only the number is known.
export function countedPods({ ready, replicas }) {
  if (ready < 0) return h("p", { class: "quiet" }, `${replicas} pods`);
  const text = `${ready} of ${replicas} pods serve`, all = Math.min(Math.max(replicas, ready), 200);
  const square = (_, i) => h("span", { class: i < ready ? "pod serving" : "pod starting", "aria-hidden": "true" });
  return h("p", { class: "pods", role: "img", "aria-label": text }, Array.from({ length: all }, square), h("span", { class: "quiet" }, ` ${text}`));
}

// namedPods lists pods with their names.
export function namedPods(pods) {
  const words = (p) => `${p.name}: ${p.words}`;
  return [h("p", { class: "quiet" }, counted(pods)), h("ul", { class: "squares" }, pods.slice(0, 400).map((p) =>
    h("li", { class: kind(p), title: words(p) }, h("span", { class: "hidden" }, words(p)))))];
}
