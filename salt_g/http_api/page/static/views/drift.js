// Drift: changes made outside state runs, which later runs found or corrected, grouped by content.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get } from "../lib/api.js";
import { ago, many, number } from "../lib/format.js";
import { follow } from "../lib/live.js";
import { empty, Loading, waiting } from "../lib/loading.js";
import { place, refine, route } from "../lib/store.js";
import { styled } from "../lib/style.js";
import { RowWindow, table } from "../lib/table.js";
import { changePanel, minionsInShort, moment, noHistory, periods, size } from "./change_panel.js";

await styled("changes.css");

const WEEK = 7 * 86400;
const STATES = ["found", "corrected"];
/** Delay until a return is in the history (ms). */
const LATER = 2500;

const drift = new Loading();
const chosen = signal(null);
const rowWindow = new RowWindow();
let leave = null;
let last = "";

export const title = () => "Drift";

export function open({ query }) {
  const wanted = query.since ?? "";
  // Filters of data that is already here send no request.
  if (leave && wanted === last) return;
  if (wanted !== last) drift.clear();
  last = wanted;
  leave ??= follow(/^salt\/job\/\d+\/ret/, load, 5000, LATER);
  load();
}

export function close() {
  leave?.();
  leave = null;
  chosen.value = null;
}

const since = () => Number(route.value.query.since) || WEEK;
const load = () => drift.load((control) => get("v1/drift", { since: since() }, control));
const keyOf = (one) => [one.name, one.fun, one.state, one.text].join("\n");

export function view() {
  const { data, problem } = drift.state.value;
  return html`<div class="view drift">
    <div class="view-main">
      <div class="view-head">
        <h1 tabindex="-1">Drift</h1>
        ${data ? html`<span class="quiet">${summary(data)}</span>` : nothing}
      </div>
      ${problem && (!data || problem.status === 403) ? noHistory(problem, load) : data ? content(data) : waiting()}
    </div>
    ${panel(data)}
  </div>`;
}

function summary({ items }) {
  const minions = new Set(items.flatMap((one) => one.minions));
  return `${many(items.length, "change")} by others on ${many(minions.size, "minion")}`;
}

function panel(data) {
  const group = data?.items.find((one) => keyOf(one) === chosen.value);
  if (!group) return nothing;
  const words = group.state === "found" ? "found by a test, still there" : "corrected by a run";
  return changePanel(group, {
    facts: [
      ["Drift", words],
      ["Last", moment(group.last)],
    ],
    close: () => (chosen.value = null),
  });
}

function content(data) {
  const { q = "", state = "" } = route.value.query;
  const wanted = q.toLowerCase();
  const rows = data.items.filter(
    (one) =>
      (!state || one.state === state) &&
      [one.name, one.id, one.fun, ...one.minions].some((text) => text.toLowerCase().includes(wanted)),
  );
  return html`<div class="chips" role="group" aria-label="Filter by state">
      ${STATES.map((name) => chip(name, data.items.filter((one) => one.state === name).length, state))}
    </div>
    <div class="tools">
      <input
        type="search"
        class="filter"
        aria-label="Filter"
        placeholder="Path, state, minion"
        spellcheck="false"
        .value=${liveValue(q)}
        @input=${(event) => filterBy({ q: event.target.value })}
      />
      ${periods(since(), (seconds) => refine({ since: Number(seconds) === WEEK ? "" : seconds }))}
    </div>
    ${untested(data)}
    ${data.is_cut ? html`<p class="quiet">These are the newest 5,000 changes; choose a shorter period for all.</p>` : nothing}
    ${rows.length ? list(rows) : nothingThere(data)}`;
}

function filterBy(changes) {
  refine(changes);
  rowWindow.reset();
}

function chip(name, count, state) {
  return html`<button
    class=${`chip v-${name}`}
    aria-pressed=${state === name}
    @click=${() => filterBy({ state: state === name ? "" : name })}
  >
    <span class="swatch" aria-hidden="true"></span><b>${number(count)}</b> ${name}
  </button>`;
}

function untested({ not_tested: ids, more }) {
  if (!ids.length) return nothing;
  const count = ids.length + more;
  return html`<details class="not-tested">
    <summary>${many(count, "minion")} ${count === 1 ? "was" : "were"} not tested in this time</summary>
    <p class="on" tabindex="0" role="region" aria-label="Minions that were not tested">
      ${ids.slice(0, 200).map((id) => html`<a class="mono" href=${place("fleet", [id])}>${id}</a> `)}
      ${count > 200 ? html`and ${number(count - 200)} more` : nothing}
    </p>
  </details>`;
}

function nothingThere({ items }) {
  if (items.length)
    return empty(
      "No drift fits",
      "",
      html`<button class="button" @click=${() => filterBy({ q: "", state: "" })}>Show all</button>`,
    );
  return empty(
    "No drift",
    "As far as runs have tested it, nothing that states describe was changed in this period. Schedule state.apply test=True to detect drift.",
  );
}

function list(rows) {
  return table({
    window: rowWindow,
    label: "Drift",
    columns: COLUMNS,
    count: rows.length,
    rowAt: (at) => rows[at],
    open: (row) => (chosen.value = keyOf(row)),
    close: () => (chosen.value = null),
    current: (row) => keyOf(row) === chosen.value,
  });
}

const COLUMNS = [
  {
    title: "What",
    kind: "c-fun",
    cell: (row) =>
      html`<button class="link mono" @click=${() => (chosen.value = keyOf(row))}>${row.name}</button>
        <span class="mono quiet">${row.fun}</span>`,
  },
  { title: "State", kind: "c-cause", cell: (row) => html`<span class=${`pill v-${row.state}`}>${row.state}</span>` },
  { title: "Lines", kind: "c-size c-optional", cell: size },
  { title: "Minions", kind: "c-on", cell: minionsInShort },
  { title: "Last", kind: "c-when", cell: (row) => ago(row.last * 1000) },
];
