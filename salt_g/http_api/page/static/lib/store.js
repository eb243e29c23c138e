// State shared by all views: user, route, state of the event stream, notices, settings of this browser.

import { batch, signal } from "../vendor/signals-core/signals-core.mjs";

/** undefined: not known yet; null: nobody is logged in; otherwise the answer of /v1/me. */
export const me = signal(undefined);
/** {view, path: [segment], query: {name: value}} from the hash of the address. */
export const route = signal(read());
/** State of the event stream: live, late or lost. */
export const life = signal("late");
/** {text, kind, number} of the notice that is shown for some seconds, or null. */
export const notice = signal(null);
/** Draft of a job that Fleet and Job pass to Run: {tgt, tgt_type, fun, values}. */
export const draft = signal(null);
/** Whether the list of keys is open. */
export const helpIsOpen = signal(false);
/** Colour scheme: auto, light or dark. */
export const theme = signal(stored("theme", "auto"));
/** Whether single keys are shortcuts, which users of speech input must be able to turn off. */
export const hasShortcuts = signal(stored("shortcuts", "on") === "on");
/** Current time (ms), updated every 10 s while the tab is visible, so that ages are shown anew. */
export const clock = signal(Date.now());

const NOTICE_FOR = 6000;

function read() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/").map(decodeURIComponent);
  return { view: view || "fleet", path: rest, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** Return the hash of a view; parameters without a value are left out. */
export function place(view, path = [], query = {}) {
  const kept = Object.entries(query).filter(([, value]) => value !== "" && value !== undefined);
  const text = new URLSearchParams(kept).toString();
  return `#/${[view, ...path].map(encodeURIComponent).join("/")}${text && `?${text}`}`;
}

export function go(view, path = [], query = {}) {
  location.hash = place(view, path, query);
}

/** Change parameters of the current route, without a new entry in the browser's history. */
export function refine(changes) {
  const { view, path, query } = route.value;
  history.replaceState(null, "", place(view, path, { ...query, ...changes }));
  route.value = read();
}

let notices = 0;

/** Show a sentence for some seconds; `kind` is ok or failed. */
export function say(text, kind = "ok") {
  const number = (notices += 1);
  notice.value = { text, kind, number };
  setTimeout(() => {
    if (notice.value?.number === number) notice.value = null;
  }, NOTICE_FOR);
}

export function stored(name, otherwise) {
  try {
    return localStorage.getItem(`salt-g.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function store(name, value) {
  try {
    localStorage.setItem(`salt-g.${name}`, value);
  } catch {
    // The page also works in a browser that stores nothing.
  }
}

addEventListener("hashchange", () =>
  batch(() => {
    route.value = read();
    helpIsOpen.value = false;
  }),
);
setInterval(() => {
  if (!document.hidden) clock.value = Date.now();
}, 10_000);
