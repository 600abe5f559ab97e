// The entry: it takes the token, follows the stream and shows the page that the
// address names.
import { takeToken, hasToken, setToken, tokenIn, setSpeed } from "./api.js";
import { state, listen, follow } from "./state.js";
import { route, toDecision, toLearned, toWhatIf, toWorkload } from "./route.js";
import { $, h, say } from "./dom.js";
import { moment } from "./format.js";
import { fleet } from "./fleet.js";
import { workload } from "./workload.js";
import { decision } from "./decision.js";
import { whatif } from "./whatif.js";
import { learned } from "./learned.js";
import { migrate } from "./migrate.js";
import { keys } from "./keys.js";
import { startTheme } from "./theme.js";

const pages = { "": fleet, workload, decision, whatif, learned, migrate };
// titles are those of the pages, but for the fleet and a workload.
const titles = { decision: "Decision", whatif: "What if", learned: "Learned", migrate: "Migrate" };
let leave = null;

function show() {
  if (!hasToken()) return gate("");
  const { words, query } = route();
  // A name that every object has is no page.
  const page = Object.hasOwn(pages, words[0] ?? "") ? pages[words[0] ?? ""] : null;
  leave?.();
  leave = null;
  const main = $("#main");
  main.replaceChildren();
  crumbs(words);
  if (!page) {
    main.append(h("p", { class: "problem" }, "There is no such page. ", h("a", { href: "#/" }, "Back to the fleet")));
    return;
  }
  leave = page(main, words.slice(1), query) ?? null;
}

// arrive lets the keyboard go on at the page that has come, and a screen reader say what it is.
function arrive() {
  const title = $("#main h1");
  title?.setAttribute("tabindex", "-1");
  (title ?? $("#main")).focus({ preventScroll: true });
}

// crumbs are the ways to other pages: those of all, and those of the workload that is
// shown.
function crumbs([page, ...rest]) {
  const link = (href, text, here) => h("a", { href, "aria-current": here ? "page" : null }, text);
  const list = [link("#/", "Fleet", !page), link("#/migrate", "Migrate", page === "migrate" && !rest.length)];
  const key = page !== "migrate" && rest[1] ? { namespace: rest[0], name: rest[1] } : null;
  if (page === "migrate" && rest.length) list.push(link(location.hash, rest.at(-1), true));
  const id = key && `${key.namespace}/${key.name}`;
  if (key) {
    const decided = page === "decision" ? location.hash : toDecision(key, "last");
    list.push(link(toWorkload(key), id, page === "workload"), link(decided, "Decision", page === "decision"),
      link(toWhatIf(key), "What if", page === "whatif"), link(toLearned(key), "Learned", page === "learned"));
  }
  $("#crumbs").replaceChildren(...list);
  document.title = [titles[page], id ?? (page === "migrate" ? rest.at(-1) : "Fleet"), "Tidemark"].filter(Boolean).join(" · ");
}

// gate asks for the token, which is kept nowhere and so is gone after a reload.
function gate(problem) {
  leave?.();
  leave = null;
  const field = h("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false" });
  const submit = (e) => {
    e.preventDefault();
    setToken(tokenIn(field.value));
    if (hasToken()) start();
  };
  const form = h("form", { class: "gate", submit },
    h("h1", {}, "Which server is this?"),
    problem && h("p", { class: "problem" }, problem),
    h("p", {}, "Open the address that ", h("code", {}, "tidemark ui"), " printed, or paste it here. Pages of a cluster take a token of it, such as ",
      h("code", {}, "kubectl create token"), " prints. It is kept in this page alone, so it is gone after a reload."),
    h("label", { for: "token" }, "Address or token"), field, h("button", { type: "submit" }, "Show"));
  $("#main").replaceChildren(form);
  field.focus();
}

const speeds = [[0, "paused"], [1, "real time"], [60, "1 min/s"], [600, "10 min/s"], [3600, "1 h/s"]];
let chooser = null;

// top shows what the feed is and whether it is live.
function top() {
  const { about } = state;
  const link = { live: "live", lost: "connection lost: trying again", refused: "refused" }[state.link] ?? "";
  if ($("#link").textContent !== link) $("#link").textContent = link;
  $("#link").dataset.state = state.link;
  if (!about) return;
  const problem = about.problem ?? "";
  if ($("#problem").textContent !== problem) $("#problem").textContent = problem;
  $("#about").textContent = about.source === "cluster" ? about.title : `${about.title} · ${moment(about.now)}`;
  if (about.speed === undefined) return;
  if (!chooser) {
    chooser = h("select", { change: async () => { await setSpeed(Number(chooser.value)); say(`Speed: ${chooser.selectedOptions[0].textContent}`); } },
      speeds.map(([n, text]) => h("option", { value: n }, text)));
    $("#speed").replaceChildren(h("label", {}, "Speed ", chooser));
  }
  if (document.activeElement !== chooser) chooser.value = String(about.speed);
}

async function start() {
  show();
  // The stream is followed until the server does not know the token any more.
  await follow();
  setToken("");
  gate(state.problem);
}

// The address names the page, so the skip link cannot be one.
$(".skip").addEventListener("click", (e) => {
  e.preventDefault();
  $("#main").focus();
});

takeToken();
startTheme();
keys();
listen(top);
addEventListener("hashchange", () => {
  const had = hasToken();
  takeToken();
  if (!had && hasToken()) start();
  else {
    show();
    if (hasToken()) arrive();
  }
});
if (hasToken()) start();
else show();
