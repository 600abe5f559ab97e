// What is asked of the server.
import { decoded } from "./route.js";

// The token comes with the address that was printed,
// is taken out of it at once, and is kept in this variable alone: no cookie, no
// storage, so that a page of anyone else, or the next user of the browser, does not
// have it.
let token = "";

export const hasToken = () => token !== "";
export const setToken = (t) => { token = t.trim(); };

// takeToken takes the token out of the address, if one is there.
export function takeToken() {
  const found = /^#token=([^&]+)(?:&to=(.*))?$/.exec(location.hash);
  if (!found) return;
  setToken(decoded(found[1]));
  history.replaceState(null, "", "#" + (found[2] ? decoded(found[2]) : "/"));
}

// tokenIn finds the token in what a person pasted: the address, or only the token.
export const tokenIn = (text) => (/#token=([^&\s]+)/.exec(text)?.[1] ?? text).trim();

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export async function request(path, options = {}) {
  const answer = await fetch(path, { ...options, cache: "no-store", credentials: "omit", headers: { ...options.headers, Authorization: `Bearer ${token}` } });
  if (answer.ok) return answer;
  let message = answer.statusText;
  try { message = (await answer.json()).error; } catch { /* the status says it */ }
  throw new Refused(answer.status, message);
}

export const query = (values) => new URLSearchParams(Object.entries(values).filter(([, v]) => v !== undefined && v !== null)).toString();

export async function lanes(key, window, signal) {
  return (await request(`/api/lanes?${query({ ...key, ...window })}`, { signal })).json();
}

export async function decision(key, at, signal) {
  return (await request(`/api/decision?${query({ ...key, at })}`, { signal })).json();
}

export async function setSpeed(speed) {
  return (await request("/api/speed", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ speed }) })).json();
}

export async function object(key) {
  return (await request(`/api/object?${query(key)}`)).json();
}

export async function change(what) {
  return (await request("/api/change", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) })).json();
}

// lines reads an answer line by line, for as long as they come.
export async function lines(answer, each) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const all = (rest + value).split("\n");
    rest = all.pop();
    for (const line of all) if (line) each(JSON.parse(line));
  }
}

// stream reads the news.
export async function stream(signal, each) {
  await lines(await request("/api/stream", { signal }), each);
}
