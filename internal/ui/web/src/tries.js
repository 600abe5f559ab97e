// What is asked about other policies than the present one.
import { lines, query, request } from "./api.js";

export async function object(key, signal) {
  return (await request(`/api/whatif?${query(key)}`, { signal })).json();
}

const post = (path, body, signal) => request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });

// tell asks and calls back for each line of the answer; a line that is an error ends it.
async function tell(path, edit, signal, each) {
  await lines(await post(path, edit, signal), (line) => {
    if (line.error) throw new Error(line.error);
    each(line);
  });
}

export const tryOut = (edit, signal, each) => tell("/api/try", edit, signal, each);
export const tune = (edit, signal, each) => tell("/api/tune", edit, signal, each);
export const why = async (edit, signal) => (await post("/api/why", edit, signal)).json();
export const recommend = async (edit, signal) => (await post("/api/recommend", edit, signal)).json();
