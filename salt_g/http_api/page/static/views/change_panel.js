// Panel of a change: place, job and diff, which is requested when the panel opens. Also parts that the views of changes
// share: sizes, short lists of minions, periods, and the box for a master without a history.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { get } from "../lib/api.js";
import { PERIODS } from "../lib/change_groups.js";
import { date, many, number } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { empty, Loading, trouble, when } from "../lib/loading.js";
import { changesOf } from "../lib/plans.js";
import { place } from "../lib/store.js";
import { changes } from "../lib/values.js";

/** Maximum numbers of ids in a list and in a row. */
const MOST_IDS = 200;
const NAMED = 3;

const text = new Loading();
let shown = "";

function load(digest) {
  if (digest === shown) return;
  shown = digest;
  text.clear();
  text.load((control) => get(`v1/history/texts/${digest}`, {}, control));
}

/** Return the panel of a group; `facts` are [name, value] pairs in addition to those of every group. */
export function changePanel(group, { facts, close }) {
  if (group.text) queueMicrotask(() => load(group.text));
  return html`<aside class="side" aria-label=${`Change of ${group.name}`}>
    <div class="side-head">
      <h2 class="mono">${group.name}</h2>
      <button class="icon-button" aria-label="Close" @click=${close}>${icon("close")}</button>
    </div>
    <div class="side-body" tabindex="0" role="region" aria-label="Change">
      <dl class="facts">
        ${[["State", html`<span class="mono">${group.fun}</span>`], ["ID", html`<span class="mono">${group.id}</span>`], ...facts].map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      <div class="side-actions">
        <a class="button small" href=${place("history", [], { name: group.name, since: 400 * 86400 })}>${icon("history")}All its changes</a>
      </div>
      <h3>${many(group.count, "minion")}</h3>
      <p class="on">
        ${group.minions.slice(0, MOST_IDS).map((id) => html`<a class="mono" href=${place("fleet", [id])}>${id}</a> `)}
        ${group.count > MOST_IDS ? html`<span class="quiet">and ${number(group.count - MOST_IDS)} more</span>` : nothing}
      </p>
      <h3>Change</h3>
      ${
        group.text
          ? when(
              text,
              (reply) => changes(changesOf(reply.text)),
              () => {
                shown = "";
                load(group.text);
              },
            )
          : html`<p class="quiet">It does not say what it changed.</p>`
      }
    </div>
  </aside>`;
}

/** Return the size of a diff, or a dash if there is no diff. */
export function size({ added, removed }) {
  if (added === null || added === undefined) return html`<span class="quiet">–</span>`;
  return html`<span class="size mono small"
    ><span class="add">+${number(added)}</span> <span class="del">-${number(removed)}</span></span
  >`;
}

/** Return a short text for minions: their number and the first ids. */
export function minionsInShort({ minions, count }) {
  const named = minions.slice(0, NAMED).join(", ");
  return html`<span title=${minions.slice(0, 50).join(", ")}
    >${count > 1 ? html`<b>${number(count)}</b> ` : nothing}<span class="mono">${named}${count > NAMED ? ", …" : ""}</span></span
  >`;
}

export function periods(chosen, choose) {
  return html`<select class="facet" aria-label="Period" @change=${(event) => choose(event.target.value)}>
    ${PERIODS.map(([seconds, words]) => html`<option value=${seconds} .selected=${seconds === Number(chosen)}>${words}</option>`)}
  </select>`;
}

/** Return the box for a refused request; a master without a history is not an error. */
export function noHistory(problem, again) {
  if (problem.status !== 404) return trouble(problem, again);
  return empty(
    "This master keeps no history",
    "With history: True in its settings, it records what state runs changed, and finds changes made outside of them.",
  );
}

export const moment = (seconds) => html`<time>${date(seconds * 1000)}</time>`;
