// Fleet: counts that are filters, facets, a table of all minions, and what to do with those selected.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get } from "../lib/api.js";
import { has, toggled, without } from "../lib/filter.js";
import { FleetRows } from "../lib/fleet_rows.js";
import { ago, counts, kindOf, many, momentOf, number, pill, WORDS } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { afterPause, follow } from "../lib/live.js";
import { empty, Loading, trouble, waiting } from "../lib/loading.js";
import { draft, go, place, refine, route, say } from "../lib/store.js";
import { RowWindow, table } from "../lib/table.js";
import { invite } from "./invite.js";
import { minionPanel, openMinion } from "./minion.js";

const STATUSES = ["failed", "would change", "changed", "ok", "none", "away"];
/** Maximum age of the API's data about the fleet (ms). */
const FRESH = 1200;
const FACETS = { os: "System", os_family: "Family", version: "Version", kernel: "Kernel" };

const rows = new FleetRows();
const summary = new Loading();
const picked = signal(new Set());
const rowWindow = new RowWindow();
let leave = null;
let last = "";

export const title = () => "Fleet";

export function open({ path, query }) {
  const { filter = "", sort = "" } = query;
  const wanted = `${filter}\n${sort}`;
  if (!leave || wanted !== last) {
    last = wanted;
    rows.choose(filter, sort);
    count();
  }
  leave ??= follow(/^salt\/(job\/\d+\/ret|minion|presence|auth|key)/, renew, 2000, FRESH);
  openMinion(path[0] ?? "");
}

export function close() {
  leave?.();
  leave = null;
}

function renew() {
  rows.renew();
  count();
}

/** Counts ignore the status in the filter, so that another status can be chosen. */
function count() {
  const filter = without(route.peek().query.filter ?? "", "status:");
  return summary.load((control) => get("v1/minions/summary", { filter }, control));
}

const filterBy = (filter) => {
  refine({ filter });
  rowWindow.reset();
};
const typed = afterPause(250, filterBy);
const statusWord = (status) => (status.includes(" ") ? `status:'${status}'` : `status:${status}`);

export function view() {
  const { filter = "" } = route.value.query;
  const id = route.value.path[0] ?? "";
  return html`<div class="view fleet ${id ? "has-side" : ""}">
    <div class="view-main">
      <div class="view-head">
        <h1 tabindex="-1">Fleet</h1>
        ${total()}
        <div class="actions">
          <button class="button" @click=${() => invite("")}>${icon("add")}Invite</button>
          <button class="button primary" @click=${() => runOn([])}>${icon("run")}Run</button>
        </div>
      </div>
      ${bar(filter)}
      <div class="tools">
        <input
          type="search"
          class="filter"
          aria-label="Filter"
          placeholder="Filter: web, os:Debian, address:10.1.*"
          spellcheck="false"
          .value=${liveValue(filter)}
          @input=${(event) => typed(event.target.value)}
        />
        <div class="facets">${Object.entries(FACETS).map(([name, text]) => facet(name, text, filter))}</div>
      </div>
      ${content(filter)} ${picked.value.size ? selectionBar() : nothing}
    </div>
    ${id ? minionPanel(id, { close: () => go("fleet", [], route.value.query), run: () => runOn([id]) }) : nothing}
  </div>`;
}

function total() {
  const sum = summary.data?.total;
  return sum === undefined ? nothing : html`<span class="quiet">${many(sum, "minion")}</span>`;
}

/** Return a bar whose parts are as wide as their counts, with the same counts as filters below it. */
function bar(filter) {
  const status = summary.data?.status;
  if (!status) return html`<div class="stacked bone"></div>`;
  const parts = STATUSES.filter((name) => name !== "away" && status[name]);
  return html`<div class="stacked" aria-hidden="true">
      ${parts.map(
        (name) => html`<span class=${`part ${kindOf(name)}`} .style=${`flex-grow:${status[name]}`}></span>`,
      )}
    </div>
    <div class="chips" role="group" aria-label="Filter by the last run">
      ${STATUSES.map((name) => chip(name, status[name], filter))}
    </div>`;
}

function chip(name, value, filter) {
  const word = statusWord(name);
  return html`<button
    class="chip ${kindOf(name)}"
    aria-pressed=${has(filter, word)}
    @click=${() => filterBy(toggled(filter, word))}
  >
    <span class="swatch" aria-hidden="true"></span><b>${number(value)}</b> ${WORDS[name]}
  </button>`;
}

function facet(name, text, filter) {
  const values = summary.data?.facets?.[name] ?? [];
  const current = values.find((one) => has(filter, one.filter));
  if (values.length < 2 && !current) return nothing;
  return html`<select
    class="facet ${current ? "on" : ""}"
    aria-label=${text}
    @change=${(event) => chooseFacet(event, name, filter)}
  >
    <option value="" .selected=${!current}>${text}</option>
    ${values.map((one) => html`<option value=${one.filter} .selected=${one === current}>${one.value} (${number(one.count)})</option>`)}
  </select>`;
}

function chooseFacet(event, name, filter) {
  const rest = without(filter, `${name}:`);
  filterBy([rest, event.target.value].filter(Boolean).join(" "));
}

function content(filter) {
  const shown = rows.version.value && rows.total.value;
  const problem = rows.problem.value;
  if (problem && (rows.total.value === null || problem.status === 400)) return trouble(problem, renew);
  if (rows.total.value === null) return waiting();
  if (shown === 0) return nobody(filter);
  const [first, end] = rowWindow.range(shown);
  queueMicrotask(() => rows.show(first, end));
  return table({
    window: rowWindow,
    label: "Minions",
    columns: COLUMNS,
    count: shown,
    rowAt: (number) => rows.at(number),
    sort: route.value.query.sort || "id",
    sortBy: (sort) => {
      refine({ sort: sort === "id" ? "" : sort });
      rowWindow.reset();
    },
    selection: {
      has: (row) => picked.value.has(row.id),
      toggle: (row) => toggle(row.id),
      isAll: picked.value.size > 0 && picked.value.size >= shown,
      toggleAll,
      title: (row) => row.id,
    },
    open: (row) => go("fleet", [row.id], route.value.query),
    close: () => route.value.path[0] && go("fleet", [], route.value.query),
    current: (row) => row.id === route.value.path[0],
  });
}

function nobody(filter) {
  if (filter) {
    return empty(
      "No minion matches this filter",
      "",
      html`<button class="button" @click=${() => filterBy("")}>Show all</button>`,
    );
  }
  const action = html`<button class="button primary" @click=${() => invite("")}>
    ${icon("add")}Invite a minion
  </button>`;
  return empty("There is no minion yet", "An invitation is one command to run on a new machine.", action);
}

const system = (row) => [row.os, row.os_version].filter(Boolean).join(" ");

const COLUMNS = [
  {
    title: "Minion",
    sort: "id",
    kind: "c-id",
    cell: (row) => html`<a class="mono" href=${place("fleet", [row.id], route.value.query)}>${row.id}</a>`,
  },
  {
    title: "Status",
    sort: "status",
    kind: "c-status",
    cell: (row) => html`${pill(row.status)}${row.connected ? nothing : pill("away")}`,
  },
  { title: "Last run", kind: "c-run", cell: lastRun },
  {
    title: "System",
    sort: "os",
    kind: "c-system",
    cell: (row) => system(row) || html`<span class="quiet">–</span>`,
  },
  {
    title: "Address",
    kind: "c-address mono",
    cell: (row) => row.addresses[0] ?? html`<span class="quiet">–</span>`,
  },
  {
    title: "Version",
    sort: "version",
    kind: "c-version",
    cell: (row) => row.version ?? html`<span class="quiet">–</span>`,
  },
  { title: "Seen", sort: "seen", kind: "c-seen", cell: (row) => ago(row.seen ? row.seen * 1000 : NaN) },
];

function lastRun(row) {
  const run = row.last_run;
  if (!run) return html`<span class="quiet">–</span>`;
  return html`<a class="run-link" href=${place("jobs", [run.jid], { minion: row.id })}
      >${ago(momentOf(run.jid))}</a
    >
    <span class="counts">${counts(run.counts)}</span>`;
}

function toggle(id) {
  const next = new Set(picked.value);
  if (!next.delete(id)) next.add(id);
  picked.value = next;
}

async function toggleAll() {
  if (picked.value.size) {
    picked.value = new Set();
    return;
  }
  try {
    picked.value = new Set(await rows.ids());
  } catch (problem) {
    say(problem.message, "failed");
  }
}

function selectionBar() {
  const ids = [...picked.value];
  return html`<div class="selection" role="region" aria-label="Selection">
    <b>${number(ids.length)} selected</b>
    <button class="button primary" @click=${() => runOn(ids)}>${icon("run")}Run</button>
    ${ids.length === 1 ? html`<button class="button" @click=${() => invite(ids[0])}>${icon("add")}Invite again</button>` : nothing}
    <button class="button plain" @click=${() => (picked.value = new Set())}>Clear</button>
  </div>`;
}

/** Pass a target to Run: the ids, or all minions. */
function runOn(ids) {
  draft.value = ids.length ? { tgt: ids.sort().join(","), tgt_type: "list" } : {};
  go("run");
}
