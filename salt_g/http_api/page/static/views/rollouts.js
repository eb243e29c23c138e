// Rollouts: the list, the newest first; and one rollout with its waves as columns, when the route names it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { get } from "../lib/api.js";
import { ago, argumentText, many, number, targetText } from "../lib/format.js";
import { follow } from "../lib/live.js";
import { empty, Loading, when } from "../lib/loading.js";
import { go, place, route } from "../lib/store.js";
import { styled } from "../lib/style.js";
import { RowWindow, table } from "../lib/table.js";
import * as rollout from "./rollout.js";

await styled("changes.css");

const PAGE = 200;

const found = new Loading();
const rowWindow = new RowWindow();
let leave = null;

export const title = () => (route.value.path[0] ? rollout.title() : "Rollouts");

export function open({ path }) {
  if (path[0]) {
    stop();
    rollout.open(path[0]);
    return;
  }
  rollout.close();
  leave ??= follow(/^salt\/rollout\//, load, 2000);
  load();
}

export function close() {
  rollout.close();
  stop();
}

function stop() {
  leave?.();
  leave = null;
}

const load = () => found.load((control) => get("v1/rollouts", { limit: PAGE }, control));

export function view() {
  if (route.value.path[0]) return rollout.view();
  return html`<div class="view rollouts">
    <div class="view-main">
      <div class="view-head">
        <h1 tabindex="-1">Rollouts</h1>
        ${found.data?.total ? html`<span class="quiet">${many(found.data.total, "rollout")}</span>` : nothing}
      </div>
      ${when(found, content, load)}
    </div>
  </div>`;
}

function content({ items }) {
  if (!items.length)
    return empty(
      "There is no rollout",
      "With --rollout, a job reaches its minions in waves, and stops if too many fail.",
    );
  return table({
    window: rowWindow,
    label: "Rollouts",
    columns: COLUMNS,
    count: items.length,
    rowAt: (at) => items[at],
    open: (row) => go("rollouts", [row.jid]),
  });
}

const COLUMNS = [
  {
    title: "Function",
    kind: "c-fun",
    cell: (row) =>
      html`<a class="mono" href=${place("rollouts", [row.jid])}>${row.function}</a>
        <span class="mono quiet">${argumentText(row.arguments)}</span>`,
  },
  { title: "State", kind: "c-verdict", cell: (row) => rollout.statePill(row.state) },
  { title: "Waves", kind: "c-waves", cell: waves },
  { title: "Target", kind: "c-target mono", cell: (row) => targetText(row.target) },
  { title: "Reached", kind: "c-returned", cell: (row) => `${number(row.reached)} / ${number(row.total)}` },
  { title: "By", kind: "c-user c-optional", cell: (row) => row.user },
  { title: "Began", kind: "c-seen", cell: (row) => ago(row.started * 1000) },
];

/** Return the waves as blocks, as wide as their numbers of minions. */
function waves(row) {
  const words = row.waves.map((one, at) => `wave ${at + 1}: ${one.state}`).join(", ");
  return html`<span class="waves-short" role="img" aria-label=${words} title=${words}
    >${row.waves.map((one) => html`<span class=${`part ${rollout.kindOfWave(one.state)}`} .style=${`flex-grow:${one.size}`}></span>`)}</span
  >`;
}
