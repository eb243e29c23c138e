// The page: who is logged in, which view is shown, and one rendering of both.

import { effect, signal, untracked } from "./vendor/signals-core/signals-core.mjs";
import { html, render } from "./vendor/lit-html/lit-html.js";
import { get, onLogout } from "./lib/api.js";
import { listen, offer } from "./lib/keyboard.js";
import * as live from "./lib/live.js";
import { empty, trouble, waiting } from "./lib/loading.js";
import { me, route, theme } from "./lib/store.js";
import { frame } from "./views/frame.js";

/** Views are loaded when they are first shown: {title(), open(route), close(), view()}. */
const VIEWS = {
  fleet: () => import("./views/fleet.js"),
  jobs: () => import("./views/jobs.js"),
  plans: () => import("./views/plans.js"),
  rollouts: () => import("./views/rollouts.js"),
  drift: () => import("./views/drift.js"),
  history: () => import("./views/history.js"),
  keys: () => import("./views/keys.js"),
  resources: () => import("./views/resources.js"),
  schedule: () => import("./views/schedule.js"),
  run: () => import("./views/run.js"),
};

const shown = signal({ name: "", module: null, problem: null });
const login = signal(null);
const problem = signal(null);

async function begin() {
  problem.value = null;
  try {
    me.value = await get("v1/me");
  } catch (refused) {
    if (refused.status !== 401) problem.value = refused;
  }
}

/** Show the view of the route; the view that is left ends its streams and requests. */
async function show({ view }) {
  const load = VIEWS[view];
  const before = shown.peek();
  if (before.name !== view) before.module?.close?.();
  if (!load) {
    offer({});
    shown.value = { name: view, module: null, problem: null };
    return;
  }
  try {
    const module = await load();
    if (route.peek().view !== view || !me.peek()) return;
    if (before.name !== view) offer({});
    module.open(route.peek());
    shown.value = { name: view, module, problem: null };
    if (before.name !== view && before.name) focusTitle();
  } catch (error) {
    console.error(error);
    const failure = {
      status: 500,
      title: "This view cannot be loaded",
      detail: "salt-g may have been upgraded",
      hint: "reload the page",
    };
    shown.value = { name: view, module: null, problem: failure };
  }
}

/** Move the focus to the title of a new view, where screen readers then begin. */
function focusTitle() {
  requestAnimationFrame(() => document.querySelector("main h1")?.focus({ preventScroll: true }));
}

function body() {
  const { module, problem: refused } = shown.value;
  if (refused) return trouble(refused, () => location.reload());
  if (module) return module.view();
  return VIEWS[route.value.view] ? waiting() : empty("There is no such page", "The menu shows all pages.");
}

function whole() {
  if (problem.value) return html`<main class="login">${trouble(problem.value, begin)}</main>`;
  if (me.value) return frame(body, shown.value.name);
  return me.value === null && login.value ? login.value() : waiting();
}

onLogout(() => {
  live.stop();
  if (me.peek() !== null) me.value = null;
});
listen();
effect(() => document.documentElement.setAttribute("data-theme", theme.value));
effect(() => {
  if (me.value === null && !login.peek()) {
    import("./views/login.js").then((module) => (login.value = module.view));
  }
  if (me.value) live.start();
});
effect(() => {
  const { value } = route;
  if (me.value) untracked(() => show(value));
});
effect(() => {
  const title = me.value ? shown.value.module?.title?.() : "Log in";
  document.title = title ? `${title} · salt-g` : "salt-g";
});
effect(() => render(whole(), document.querySelector("#page")));
begin();
