// Addresses of pages: what follows the # names the page and what it shows, so that
// each can be linked to.

// decoded is a word of an address; one that is broken stays as it is, and names nothing.
export function decoded(word) {
  try { return decodeURIComponent(word); } catch { return word; }
}

// route reads the address: the words of the path, and the query.
export function route() {
  const text = location.hash.replace(/^#\/?/, "");
  const [path, search] = text.split("?");
  return { words: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(search ?? "") };
}

export function address(words, query = {}) {
  const search = new URLSearchParams(Object.entries(query).filter(([, v]) => v !== undefined && v !== null && v !== "")).toString();
  return "#/" + words.map(encodeURIComponent).join("/") + (search ? "?" + search : "");
}

// replace changes the address without a new entry in the history of the browser.
export function replace(words, query) {
  const to = address(words, query);
  if (location.hash !== to) history.replaceState(null, "", to);
}

export const toWorkload = (k, query) => address(["workload", k.namespace, k.name], query);
export const toDecision = (k, at) => address(["decision", k.namespace, k.name, String(at)]);
export const toWhatIf = (k) => address(["whatif", k.namespace, k.name]);
export const toLearned = (k) => address(["learned", k.namespace, k.name]);
