// What is known of the fleet, and who wants to know when it changes.
import { stream, Refused } from "./api.js";

export const keyText = (k) => `${k.namespace}/${k.name}`;

export const state = {
  about: null,
  rows: new Map(),
  // version grows with each change of the rows.
  version: 0,
  // link is live, lost or refused.
  link: "",
  problem: "",
};

const listeners = new Set();

// listen calls back after each change, at most once for each picture, and returns
// how to stop it.
export function listen(callback) {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

let due = false;
function changed() {
  if (due) return;
  due = true;
  // A page that is not shown draws nothing, but what it knows stays true.
  const call = () => { due = false; for (const l of [...listeners]) l(); };
  if (document.hidden) setTimeout(call, 1000);
  else requestAnimationFrame(call);
}

function take(news) {
  state.about = news.about;
  for (const row of news.rows ?? []) {
    row.id = keyText(row);
    state.rows.set(row.id, row);
  }
  for (const key of news.gone ?? []) state.rows.delete(keyText(key));
  if (news.rows || news.gone) state.version++;
  setLink("live", "");
  changed();
}

function setLink(link, problem) {
  if (state.link === link && state.problem === problem) return;
  state.link = link;
  state.problem = problem;
  changed();
}

// follow reads the stream, and begins again whenever it ends: a server that was
// restarted is found again, and one that has another token says so.
export async function follow() {
  setLink("", "");
  for (let pause = 500; ; pause = Math.min(pause * 2, 10_000)) {
    const began = Date.now();
    let fresh = true;
    try {
      await stream(undefined, (news) => {
        if (fresh) state.rows.clear();
        fresh = false;
        take(news);
      });
      setLink("lost", "the server has ended the stream");
    } catch (e) {
      if (e instanceof Refused && e.status === 401) {
        setLink("refused", e.message);
        return;
      }
      // Who may not see anything any more does not go on seeing what there was.
      if (e instanceof Refused && e.status === 403) take({ about: { ...state.about, problem: e.message }, gone: [...state.rows.values()] });
      setLink("lost", String(e.message ?? e));
    }
    if (Date.now() - began > 30_000) pause = 500;
    await new Promise((go) => setTimeout(go, pause));
  }
}
