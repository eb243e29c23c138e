// Plans: the list, the newest first; and one plan, when the route names it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { get } from "../lib/api.js";
import { ago, argumentText, many, number } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { follow } from "../lib/live.js";
import { empty, Loading, when } from "../lib/loading.js";
import { STATES } from "../lib/plans.js";
import { clock, draft, go, place, route } from "../lib/store.js";
import { styled } from "../lib/style.js";
import { RowWindow, table } from "../lib/table.js";
import * as plan from "./plan.js";

await styled("changes.css");

const plans = new Loading();
const rowWindow = new RowWindow();
let leave = null;

export const title = () => (route.value.path[0] ? plan.title() : "Plans");

export function open({ path }) {
  if (path[0]) {
    stop();
    plan.open(path[0]);
    return;
  }
  plan.close();
  // Plans fire no events of their own, but the jobs that make and apply them do.
  leave ??= follow(/^salt\/job\/\d+\/(new|ret)/, load, 3000);
  load();
}

export function close() {
  plan.close();
  stop();
}

function stop() {
  leave?.();
  leave = null;
}

const load = () => plans.load((control) => get("v1/plans", {}, control));

export function view() {
  if (route.value.path[0]) return plan.view();
  return html`<div class="view plans">
    <div class="view-main">
      <div class="view-head">
        <h1 tabindex="-1">Plans</h1>
        ${plans.data?.items.length ? html`<span class="quiet">${many(plans.data.items.length, "plan")}</span>` : nothing}
        <div class="actions">
          <button class="button primary" @click=${begin}>${icon("add")}New plan</button>
        </div>
      </div>
      ${when(plans, content, load)}
    </div>
  </div>`;
}

/** Open the form of Run for a test run of states, which begins a plan. */
function begin() {
  draft.value = { fun: "state.apply", arg: [{ __kwarg__: true, test: true }] };
  go("run");
}

function content({ items }) {
  if (!items.length)
    return empty(
      "No plan is kept",
      "A plan is a test run of states that is kept, read by people, and then applied exactly, or not at all.",
      html`<button class="button primary" @click=${begin}>${icon("add")}Make the first</button>`,
    );
  return table({
    window: rowWindow,
    label: "Plans",
    columns: COLUMNS,
    count: items.length,
    rowAt: (at) => items[at],
    open: (row) => go("plans", [row.id]),
  });
}

const COLUMNS = [
  { title: "Plan", kind: "c-fun", cell: callCell },
  { title: "State", kind: "c-status", cell: (row) => statePill(row) },
  { title: "Would change", kind: "c-change", cell: changeCell },
  { title: "By", kind: "c-user c-optional", cell: (row) => row.user },
  { title: "Made", kind: "c-seen", cell: (row) => ago(row.made * 1000) },
  { title: "Ends", kind: "c-ends c-optional", cell: (row) => left(row.until) },
];

function callCell(row) {
  return html`<a class="mono" href=${place("plans", [row.id])}>${row.name || row.id}</a>
    <span class="mono quiet">${row.fun} ${argumentText(row.arg)}</span>`;
}

export function statePill({ state }) {
  const [kind, words] = STATES[state] ?? ["none", state];
  return html`<span class=${`pill v-${kind}`}>${words}</span>`;
}

function changeCell({ counts, minions }) {
  if (counts.change === undefined) return html`<span class="quiet">${many(minions, "minion")}</span>`;
  return html`${number(counts.change)} of ${many(counts.minions, "minion")}
    <span class="quiet">${many(counts.states, "state")}</span>`;
}

/** Return until when a plan is kept (`until` in s). */
export function left(until) {
  const seconds = until - clock.value / 1000;
  if (seconds <= 0) return "has ended";
  return seconds < 3600 ? `in ${Math.ceil(seconds / 60)} min` : `in ${Math.floor(seconds / 3600)} h`;
}
