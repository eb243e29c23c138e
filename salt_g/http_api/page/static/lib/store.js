// What all views share: the user, the route, signs of life, notices, settings of this browser.

import { batch, signal } from "../vendor/signals-core/signals-core.mjs";

/** undefined: not known yet; null: nobody is logged in; else the answer of /v1/me. */
export const me = signal(undefined);
/** {view, path: [segment], query: {name: value}} of the address's hash. */
export const route = signal(read());
/** live, late or lost. */
export const life = signal("late");
/** {text, kind, number} shown for some seconds, or null. */
export const notice = signal(null);
/** Draft that Fleet and Job hand to Run: {tgt, tgt_type, fun, values}. */
export const draft = signal(null);
/** Whether the list of keys is open. */
export const helpIsOpen = signal(false);
/** auto, light or dark. */
export const theme = signal(stored("theme", "auto"));
/** Whether single keys are shortcuts; speech input needs them off. */
export const hasShortcuts = signal(stored("shortcuts", "on") === "on");
/** Increased by every second that a relative time may have changed. */
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

/** Change parameters of the present route, without a new entry in the history. */
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
    // A browser that keeps nothing still works.
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
