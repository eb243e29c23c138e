// Changes of a plan as cards with state, minions and diff. Short cards are open, so that they are read.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { many, number } from "../lib/format.js";
import { offer } from "../lib/keyboard.js";
import { empty } from "../lib/loading.js";
import { changesOf } from "../lib/plans.js";
import { place } from "../lib/store.js";
import { block, changes } from "../lib/values.js";

/** Maximum numbers of cards open at first, of characters in such a card, and of minions named at once. */
const OPEN = 12;
const SHORT = 4000;
const NAMED = 12;
const WORDS = {
  change: ["would-change", "would change"],
  fails: ["failed", "fails"],
  unreadable: ["silent", "cannot be read"],
};

/** Keys of the cards whose minions are all named. */
const whole = signal(new Set());

export const clearCards = () => (whole.value = new Set());

/** Move from card to card with `j` and `k`. */
export function offerCards(close) {
  offer({ move, close });
}

function move(step) {
  const all = [...document.querySelectorAll(".change > summary")];
  const at = all.indexOf(document.activeElement);
  const next = all[at < 0 ? (step > 0 ? 0 : -1) : Math.max(0, Math.min(all.length - 1, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const keyOf = (one) => `${one.verdict} ${one.fun} ${one.id} ${one.name} ${one.minions[0]}`;

/** Return the list; `more` asks for the next page. */
export function cards({ items, next, more, plan, minion }) {
  if (!items.length) return nothingThere(plan, minion);
  return html`<div class="cards">
    ${repeat(items, keyOf, (one, at) => card(one, at))}
    ${next ? html`<div class="more"><button class="button small" @click=${more}>More changes</button></div>` : nothing}
  </div>`;
}

function nothingThere({ state }, minion) {
  if (minion) return empty("No change of this minion", "Enter the full id of a minion.");
  if (state === "testing") return empty("Nothing has returned yet", "Changes appear as minions return.");
  return empty("It would change nothing");
}

function card(one, at) {
  const [kind, words] = WORDS[one.verdict] ?? ["none", one.verdict];
  return html`<details class="change" .open=${at < OPEN && one.text.length < SHORT}>
    <summary>
      <span class=${`pill v-${kind}`}>${words}</span>
      <span class="state-name"><span class="mono quiet">${one.fun}</span> <b class="mono">${one.name || one.id}</b></span>
      ${one.opaque ? html`<span class="pill v-would-change">command</span>` : size(one.shown)}
      <span class="change-count">${many(one.count, "minion")}</span>
    </summary>
    <div class="change-body">
      ${one.id !== one.name && one.id ? html`<p class="small quiet">ID <span class="mono">${one.id}</span></p>` : nothing}
      ${minions(one)} ${what(one)}
      ${one.cut ? html`<p class="small quiet">${many(one.cut, "more character")}: salt-g plan show --diff has all.</p>` : nothing}
    </div>
  </details>`;
}

/** Return a summary: one such as `+2 -1` in the colours of a diff, others as text. */
function size(shown) {
  const [, added, removed] = /^(\+\d+) (-\d+)$/.exec(shown) ?? [];
  if (!added) return html`<span class="small quiet change-shown">${shown}</span>`;
  return html`<span class="size mono small"><span class="add">${added}</span> <span class="del">${removed}</span></span>`;
}

function minions(one) {
  const key = keyOf(one);
  const isWhole = whole.value.has(key);
  const shown = isWhole ? one.minions : one.minions.slice(0, NAMED);
  const rest = one.count - shown.length;
  return html`<p class="on">
    ${shown.map((id) => html`<a class="mono" href=${place("fleet", [id])}>${id}</a> `)}
    ${
      rest > 0 && !isWhole
        ? html`<button class="button small plain" @click=${() => (whole.value = new Set([...whole.value, key]))}>
            ${number(rest)} more
          </button>`
        : rest > 0
          ? html`<span class="quiet">and ${number(rest)} more</span>`
          : nothing
    }
  </p>`;
}

function what(one) {
  if (one.verdict === "unreadable") return html`<p>The part of this minion cannot be read.</p>`;
  if (one.opaque) return block(one.opaque);
  const shown = changes(changesOf(one.text));
  if (shown !== nothing) return shown;
  return one.shown ? nothing : html`<p class="quiet">It does not say what it changes.</p>`;
}
