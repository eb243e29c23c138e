// Shortcuts: single keys outside of fields, `g` and a letter for a view.
//
// The current view provides the actions of `j`, `k`, `x`, `o` and Escape: {move(step), select(), open(), close()}.

import { go, hasShortcuts, helpIsOpen } from "./store.js";

/** Views by the letter after `g`. */
export const VIEWS = {
  f: "fleet",
  j: "jobs",
  p: "plans",
  o: "rollouts",
  d: "drift",
  h: "history",
  k: "keys",
  r: "resources",
  s: "schedule",
  u: "run",
};
/** All keys, for the help list. */
export const LIST = [
  ["/", "Search"],
  ["g f", "Fleet"],
  ["g j", "Jobs"],
  ["g p", "Plans"],
  ["g o", "Rollouts"],
  ["g d", "Drift"],
  ["g h", "History"],
  ["g k", "Keys"],
  ["g r", "Resources"],
  ["g s", "Schedule"],
  ["g u", "Run"],
  ["j, k", "Next, previous row"],
  ["x", "Select the row"],
  ["Enter", "Open the row"],
  ["Esc", "Close what is open"],
  ["?", "This list"],
];
/** How long a letter may follow `g` (ms). */
const WAIT = 1500;

let offered = {};
let began = 0;

/** Set the actions of keys in the current view. */
export const offer = (actions) => (offered = actions);

export function listen() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape") return escape(event);
    if (!hasShortcuts.value || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    if (press(event.key)) event.preventDefault();
  });
}

function escape(event) {
  if (document.querySelector("dialog[open]")) return;
  if (isTyping(event.target)) event.target.blur();
  else offered.close?.();
}

/** Run the action of a key; return whether the key has one. */
function press(key) {
  if (Date.now() - began < WAIT && VIEWS[key]) {
    began = 0;
    go(VIEWS[key]);
    return true;
  }
  began = 0;
  const actions = {
    g: () => (began = Date.now()),
    "/": () => document.querySelector("#search")?.focus(),
    "?": () => (helpIsOpen.value = true),
    j: offered.move && (() => offered.move(1)),
    k: offered.move && (() => offered.move(-1)),
    x: offered.select,
    o: offered.open,
  };
  actions[key]?.();
  return Boolean(actions[key]);
}

function isTyping(element) {
  if (element.matches?.("input[type=checkbox], input[type=radio]")) return false;
  return element.matches?.("input, textarea, select, [contenteditable]") ?? false;
}
