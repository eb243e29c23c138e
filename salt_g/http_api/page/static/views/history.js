// History: what state runs changed, the newest first, and whether the tree asked for it.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get } from "../lib/api.js";
import { keyOf, merged, withDays } from "../lib/change_groups.js";
import { afterPause, follow } from "../lib/live.js";
import { empty, Loading, waiting } from "../lib/loading.js";
import { place, refine, route } from "../lib/store.js";
import { styled } from "../lib/style.js";
import { RowWindow, table } from "../lib/table.js";
import { changePanel, minionsInShort, moment, noHistory, periods, size } from "./change_panel.js";

await styled("changes.css");

const PAGE = 100;
const MONTH = 30 * 86400;
const CAUSES = {
  corrective: "Somebody else had changed it",
  intended: "The tree, its files or its pillar asked for it",
  unknown: "The minion does not tell why, or it is its first run",
};
/** Delay until a return is in the history (ms). */
const LATER = 2500;

const first = new Loading();
const later = signal({ pages: [], next: null });
const isAsking = signal(false);
const chosen = signal(null);
const rowWindow = new RowWindow();
let leave = null;
let last = null;

export const title = () => "History";

export function open({ query }) {
  leave ??= follow(/^salt\/job\/\d+\/ret/, renew, 5000, LATER);
  const wanted = JSON.stringify(query);
  if (wanted !== last) forget();
  last = wanted;
  load();
}

export function close() {
  leave?.();
  leave = null;
  chosen.value = null;
}

function forget() {
  later.value = { pages: [], next: null };
  first.clear();
  rowWindow.reset();
}

/** Do not renew a list whose later pages the user has already loaded. */
function renew() {
  if (!later.value.pages.length) load();
}

function parameters() {
  const { q, name, minion, cause, since } = route.peek().query;
  const wild = minion && (/[*?]/.test(minion) ? minion : `*${minion}*`);
  return { q, name, minion: wild, cause, since: Number(since) || MONTH, limit: PAGE };
}

const load = () => first.load((control) => get("v1/history", parameters(), control));

async function more() {
  const after = later.value.pages.length ? later.value.next : first.data?.next;
  if (!after || isAsking.value) return;
  isAsking.value = true;
  const mine = last;
  try {
    const reply = await get("v1/history", { ...parameters(), after });
    if (mine === last) later.value = { pages: [...later.value.pages, reply.items], next: reply.next };
  } catch (problem) {
    later.value = { ...later.value, problem };
  }
  isAsking.value = false;
}

/** Ask another question by a change of the route. */
const typed = afterPause(300, (name, value) => refine({ [name]: value }));

export function view() {
  const { q = "", name = "", minion = "", cause = "", since = MONTH } = route.value.query;
  const { data, problem } = first.state.value;
  const rows = data ? withDays(merged([data.items, ...later.value.pages]), dayOf) : [];
  const group = rows.find((one) => keyOf(one) === chosen.value);
  return html`<div class="view history">
    <div class="view-main">
      <div class="view-head"><h1 tabindex="-1">History</h1></div>
      <div class="tools">
        ${search("q", "Path or state", "Path, state or ID", q)} ${search("minion", "Minion", "Minion", minion, "short")}
        <select
          class="facet ${cause ? "on" : ""}"
          aria-label="Cause"
          @change=${(event) => refine({ cause: event.target.value })}
        >
          <option value="" .selected=${!cause}>Cause</option>
          ${Object.keys(CAUSES).map((one) => html`<option .selected=${one === cause}>${one}</option>`)}
        </select>
        ${name ? html`<button class="chip" aria-pressed="true" @click=${() => refine({ name: "" })}>of ${name} ×</button>` : nothing}
        ${periods(since, (seconds) => refine({ since: Number(seconds) === MONTH ? "" : seconds }))}
      </div>
      ${problem && (!data || problem.status === 403) ? noHistory(problem, load) : data ? content(rows, data, q || name || minion || cause) : waiting()}
    </div>
    ${group ? panel(group) : nothing}
  </div>`;
}

function search(name, label, words, value, kind = "") {
  return html`<input
    type="search"
    class=${`filter ${kind}`}
    aria-label=${label}
    placeholder=${words}
    spellcheck="false"
    .value=${liveValue(value)}
    @input=${(event) => typed(name, event.target.value.trim())}
  />`;
}

function content(rows, data, isFiltered) {
  const next = later.value.pages.length ? later.value.next : data.next;
  // A page may be empty while later ones are not.
  if (next && rows.length < PAGE / 4 && !later.value.problem) queueMicrotask(more);
  if (!rows.length && next && !later.value.problem) return waiting("Looking through earlier changes");
  if (!rows.length && isFiltered)
    return empty("No change fits", "", html`<a class="button" href=${place("history")}>Show all</a>`);
  if (!rows.length) return empty("Nothing was changed", "State runs in this period had nothing to change.");
  return html`${table({
    window: rowWindow,
    label: "Changes",
    columns: COLUMNS,
    count: rows.length,
    rowAt: (at) => rows[at],
    open: (row) => (chosen.value = keyOf(row)),
    close: () => (chosen.value = null),
    current: (row) => keyOf(row) === chosen.value,
  })}
  ${next ? html`<div class="more"><button class="button small" ?disabled=${isAsking.value} @click=${more}>Earlier changes</button></div>` : nothing}`;
}

const dayOf = (moment) => new Date(moment).toLocaleDateString(undefined, { day: "numeric", month: "short" });
const clockOf = (moment) => new Date(moment).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

const COLUMNS = [
  {
    title: "When",
    kind: "c-when",
    cell: (row) => html`<span class="day">${row.day}</span><time>${clockOf(row.at * 1000)}</time>`,
  },
  {
    title: "What",
    kind: "c-fun",
    cell: (row) =>
      html`<button class="link mono" @click=${() => (chosen.value = keyOf(row))}>${row.name}</button>
        <span class="mono quiet">${row.fun}</span>`,
  },
  {
    title: "Cause",
    kind: "c-cause",
    cell: (row) =>
      html`<span class=${`pill v-${row.cause}`} title=${CAUSES[row.cause]}>${row.cause}</span>${row.test ? html`<span class="pill v-none">test</span>` : nothing}`,
  },
  { title: "Lines", kind: "c-size c-optional", cell: size },
  { title: "Minions", kind: "c-on", cell: minionsInShort },
  { title: "By", kind: "c-user c-optional", cell: (row) => row.user || html`<span class="quiet">–</span>` },
];

function panel(group) {
  return changePanel(group, {
    facts: [
      ["Cause", html`${group.cause}: ${CAUSES[group.cause]}`],
      ["When", moment(group.at)],
      ["By", html`${group.user || "–"}${group.test ? ", only tested" : ""}`],
      ["Job", html`<a class="mono" href=${place("jobs", [group.jid])}>${group.jid}</a>`],
    ],
    close: () => (chosen.value = null),
  });
}
