// Elements are made by functions, and text is always text: nothing that a user or
// a cluster named ever becomes markup.

// h makes an element. Attributes that are functions listen to events, those that
// are false or null are left out, and a property of style is set as one, because
// the pages may have no style in their markup.
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "style") for (const [k, v] of Object.entries(value)) element.style.setProperty(k, v);
    else if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export const $ = (selector, inside = document) => inside.querySelector(selector);

// keeping changes what is inside of an element, and leaves the focus where it was: on what
// leads to the same address, has the same name or, failing that, stands at the same place.
export function keeping(inside, change) {
  const all = () => [...inside.querySelectorAll("a, button, select, input, summary, [tabindex]")];
  const had = inside.contains(document.activeElement) ? document.activeElement : null, place = had ? all().indexOf(had) : -1;
  const name = (e) => `${e.tagName} ${e.getAttribute("href") ?? ""} ${e.getAttribute("aria-label") ?? e.textContent}`;
  const was = had && name(had);
  change();
  if (!had || had.isConnected) return;
  const now = all();
  const href = had.getAttribute("href");
  const next = now.find((e) => name(e) === was) ?? now.find((e) => href && e.getAttribute("href") === href) ?? now[place];
  next?.focus({ preventScroll: true });
}

// say tells those who cannot see what changed.
export function say(text) {
  $("#said").textContent = text;
}

// copy puts a text on the clipboard and tells so.
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
    return true;
  } catch {
    say(`${what} could not be copied: select the text instead`);
    return false;
  }
}

// copier is a button that copies what text returns, and for a moment says whether it did.
export function copier(label, what, text, more = {}) {
  const button = h("button", { type: "button", ...more, click: async () => {
    const words = await text();
    if (words === null) return;
    button.textContent = (await copy(words, what)) ? "Copied" : "Select the text instead";
    setTimeout(() => { button.textContent = label; }, 3000);
  } }, label);
  return button;
}

// save offers a text as a file.
export function save(name, kind, text) {
  const address = URL.createObjectURL(new Blob([text], { type: kind }));
  h("a", { href: address, download: name }).click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
