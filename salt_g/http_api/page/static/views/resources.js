// Resources, such as devices, and the minion that manages each of them.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get } from "../lib/api.js";
import { date, many } from "../lib/format.js";
import { follow } from "../lib/live.js";
import { empty, Loading, when } from "../lib/loading.js";
import { place, refine, route } from "../lib/store.js";
import { RowWindow, table } from "../lib/table.js";

const found = new Loading();
const word = signal("");
const rowWindow = new RowWindow();
let leave = null;

export const title = () => "Resources";

export function open() {
  leave ??= follow(/^(salt\/resource|resource\/refresh)/, load, 2000);
  load();
}

export function close() {
  leave?.();
  leave = null;
}

function load() {
  found.load(async (control) => {
    const items = [];
    for (let after = ""; after !== null;) {
      const reply = await get("v1/resources", { after, limit: 10_000 }, control);
      items.push(...reply.items);
      after = reply.next;
    }
    return items;
  });
}

export function view() {
  return html`<div class="view resources">
    <div class="view-main">
      <div class="view-head">
        <h1 tabindex="-1">Resources</h1>
        ${
          found.data?.length
            ? html`<span class="quiet">${many(found.data.length, "resource")}</span>`
            : nothing
        }
      </div>
      ${when(found, content, load)}
    </div>
  </div>`;
}

function content(all) {
  if (!all.length)
    return empty(
      "No minion manages a resource",
      "Devices, containers and hosts without a minion can be managed as resources of a minion: see docs/resources.md.",
    );
  const { type = "", minion = "" } = route.value.query;
  const types = [...new Set(all.map((one) => one.type))].sort();
  const wanted = word.value.toLowerCase();
  const rows = all.filter(
    (one) =>
      (!type || one.type === type) &&
      (!minion || one.minion === minion) &&
      one.srn.toLowerCase().includes(wanted),
  );
  return html`<div class="tools">
      <input
        type="search"
        class="filter"
        aria-label="Filter"
        placeholder="Name"
        spellcheck="false"
        .value=${liveValue(word.value)}
        @input=${(event) => {
          word.value = event.target.value;
          rowWindow.reset();
        }}
      />
      <select
        class="facet ${type ? "on" : ""}"
        aria-label="Type"
        @change=${(event) => refine({ type: event.target.value })}
      >
        <option value="" .selected=${!type}>Type</option>
        ${types.map((one) => html`<option .selected=${one === type}>${one}</option>`)}
      </select>
      ${minion ? html`<button class="chip" aria-pressed="true" @click=${() => refine({ minion: "" })}>of ${minion} ×</button>` : nothing}
    </div>
    ${rows.length ? table({ window: rowWindow, label: "Resources", columns: COLUMNS, count: rows.length, rowAt: (at) => rows[at] }) : empty("No resource fits")}`;
}

const COLUMNS = [
  { title: "Resource", kind: "c-fun", cell: (one) => html`<span class="mono">${one.srn}</span>` },
  { title: "Type", kind: "c-verdict", cell: (one) => one.type },
  {
    title: "Minion",
    kind: "c-minions",
    cell: (one) => html`<a class="mono" href=${place("fleet", [one.minion])}>${one.minion}</a>`,
  },
  {
    title: "Lease",
    kind: "c-lease c-optional",
    cell: (one) => (one.lease ? `until ${date(one.lease * 1000)}` : html`<span class="quiet">–</span>`),
  },
];
