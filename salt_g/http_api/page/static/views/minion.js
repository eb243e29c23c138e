// Panel of one minion next to the fleet: facts, last run, grains.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { get } from "../lib/api.js";
import { ago, counts, momentOf, pill } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { Loading, when } from "../lib/loading.js";
import { place } from "../lib/store.js";
import { valueText } from "../lib/values.js";

const found = new Loading();
const word = signal("");
let shownId = "";

export function openMinion(id) {
  if (id === shownId) return;
  shownId = id;
  word.value = "";
  found.clear();
  if (id) load();
}

const load = () => found.load((control) => get(`v1/minions/${encodeURIComponent(shownId)}`, {}, control));

/** Return the panel; `actions` are close() and run(). */
export function minionPanel(id, actions) {
  return html`<aside class="side" aria-label=${`Minion ${id}`}>
    <div class="side-head">
      <h2 class="mono">${id}</h2>
      <button class="icon-button" aria-label="Close" @click=${actions.close}>${icon("close")}</button>
    </div>
    <div class="side-body" tabindex="0" role="region" aria-label="Facts">
      ${when(found, (data) => facts(data, actions), load)}
    </div>
  </aside>`;
}

function facts({ minion, grains }, actions) {
  return html` <div class="side-actions">
      <button class="button primary" @click=${actions.run}>${icon("run")}Run</button>
      <a class="button" href=${place("schedule", [], { minion: minion.id })}>${icon("schedule")}Schedule</a>
      <a class="button" href=${place("history", [], { minion: minion.id })}>${icon("history")}History</a>
    </div>
    <dl class="facts">
      ${fact("Status", html`${pill(minion.status)} ${minion.connected ? nothing : pill("away")}`)}
      ${fact("Last run", run(minion))}
      ${fact("System", [minion.os, minion.os_version].filter(Boolean).join(" ") || "unknown")}
      ${fact("Version", minion.version ?? "unknown")}
      ${fact("Addresses", minion.addresses.length ? html`<span class="mono">${minion.addresses.join(" ")}</span>` : "unknown")}
      ${fact("Seen", minion.seen ? ago(minion.seen * 1000) : "not since the master started")}
      ${minion.resources ? fact("Resources", html`<a href=${place("resources", [], { minion: minion.id })}>${minion.resources}</a>`) : nothing}
    </dl>
    ${grains ? grainList(grains) : html`<p class="quiet">It has not sent its grains.</p>`}`;
}

const fact = (name, value) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

function run({ id, last_run: last }) {
  if (!last) return html`<span class="quiet">none</span>`;
  return html`<a href=${place("jobs", [last.jid], { minion: id })}>${last.fun}</a> ${ago(momentOf(last.jid))}
    <span class="counts">${counts(last.counts)}</span>`;
}

function grainList(grains) {
  const wanted = word.value.toLowerCase();
  const names = Object.keys(grains)
    .sort()
    .filter((name) => `${name} ${valueText(grains[name])}`.toLowerCase().includes(wanted));
  return html`<h3>Grains</h3>
    <input
      type="search"
      class="filter"
      aria-label="Filter grains"
      placeholder="Filter grains"
      spellcheck="false"
      .value=${word.value}
      @input=${(event) => (word.value = event.target.value)}
    />
    <dl class="grains">
      ${names.map(
        (name) =>
          html`<div>
            <dt class="mono">${name}</dt>
            <dd class="mono">${valueText(grains[name])}</dd>
          </div>`,
      )}
    </dl>
    ${names.length ? nothing : html`<p class="quiet">No grain fits.</p>`}`;
}
