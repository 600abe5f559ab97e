// Light or dark: as the system is, until someone says otherwise.
import { $, say } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();

export function onTheme(callback) {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

function set(theme) {
  document.documentElement.dataset.theme = theme;
  $("#theme").textContent = theme === "dark" ? "Light" : "Dark";
  for (const l of listeners) l();
}

export function startTheme() {
  set(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => set(dark.matches ? "dark" : "light"));
  // Paper is light.
  let shown = "";
  addEventListener("beforeprint", () => { shown = document.documentElement.dataset.theme; set("light"); });
  addEventListener("afterprint", () => set(shown || "light"));
  $("#theme").addEventListener("click", () => {
    set(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    say(`${document.documentElement.dataset.theme} colors`);
  });
}

