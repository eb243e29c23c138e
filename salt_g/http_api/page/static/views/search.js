// Search in the bar: minions, jobs and functions that match a text.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { get } from "../lib/api.js";
import { functionsLike } from "../lib/functions.js";
import { ago, momentOf, pill } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { afterPause } from "../lib/live.js";
import { draft, go } from "../lib/store.js";

const MOST = 6;
const text = signal("");
const found = signal(null);
const chosen = signal(-1);
const isOpen = signal(false);
let turn = 0;

const ask = afterPause(200, async (word) => {
  const mine = (turn += 1);
  if (!word) {
    found.value = null;
    return;
  }
  const parts = await Promise.all([minions(word), jobs(word), functions(word)]);
  if (mine !== turn) return;
  found.value = parts.flat();
  chosen.value = found.value.length ? 0 : -1;
});

async function minions(word) {
  const reply = await get("v1/minions", {
    filter: JSON.stringify(word),
    limit: MOST,
    fields: "id,status,connected",
  }).catch(() => null);
  return (reply?.items ?? []).map((row) => ({
    group: "Minions",
    title: row.id,
    note: pill(row.connected ? row.status : "away"),
    open: () => go("fleet", [row.id]),
  }));
}

async function jobs(word) {
  const query = /^\d{6,}$/.test(word) ? null : { fun: `*${word.replace(/[^\w.]/g, "")}*`, limit: MOST };
  if (!query) {
    const reply = await get(`v1/jobs/${word}`).catch(() => null);
    return reply ? [jobLine(reply.job)] : [];
  }
  const reply = await get("v1/jobs", query).catch(() => null);
  return (reply?.items ?? []).slice(0, MOST).map(jobLine);
}

function jobLine(job) {
  return {
    group: "Jobs",
    title: [job.fun].flat().join(", "),
    note: html`<span class="quiet">${ago(momentOf(job.jid))}</span> ${pill(job.verdict)}`,
    open: () => go("jobs", [job.jid]),
  };
}

async function functions(word) {
  if (!/^[a-z_]+\.?[a-z_]*$/i.test(word) || word.length < 2) return [];
  const names = await functionsLike(word).catch(() => []);
  return names.slice(0, MOST).map((one) => ({
    group: "Functions",
    title: one.name,
    note: html`<span class="quiet">run</span>`,
    open: () => {
      draft.value = { fun: one.name };
      go("run");
    },
  }));
}

function typed(event) {
  text.value = event.target.value;
  isOpen.value = true;
  ask(text.value.trim());
}

function pressed(event) {
  const items = found.value ?? [];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && items.length) {
    event.preventDefault();
    chosen.value = (chosen.value + step + items.length) % items.length;
  } else if (event.key === "Enter" && items[chosen.value]) {
    open(items[chosen.value]);
  } else if (event.key === "Escape") {
    isOpen.value = false;
  }
}

// Delayed, so that a click on a result still counts; skipped if the search has the focus again.
function left(event) {
  const box = event.target;
  setTimeout(() => (isOpen.value = isOpen.value && document.activeElement === box), 150);
}

function open(item) {
  isOpen.value = false;
  text.value = "";
  found.value = null;
  document.querySelector("#search").blur();
  item.open();
}

export function search() {
  const items = found.value ?? [];
  const isShown = isOpen.value && found.value !== null;
  return html`<div class="search" role="search">
    ${icon("search")}
    <input
      id="search"
      type="search"
      role="combobox"
      placeholder="Search minions, jobs, functions"
      aria-label="Search"
      autocomplete="off"
      spellcheck="false"
      aria-expanded=${isShown}
      aria-controls="found"
      aria-autocomplete="list"
      aria-activedescendant=${isShown && chosen.value >= 0 ? `found-${chosen.value}` : nothing}
      .value=${text.value}
      @input=${typed}
      @keydown=${pressed}
      @focus=${() => (isOpen.value = true)}
      @blur=${left}
    />
    <kbd aria-hidden="true">/</kbd>
    <div id="found" role="listbox" aria-label="Found" ?hidden=${!isShown}>
      ${items.map(line)}
      ${isShown && !items.length ? html`<p class="quiet found-none" role="option" aria-selected="false">Nothing fits.</p>` : nothing}
    </div>
  </div>`;
}

function line(item, place, items) {
  const isFirst = items[place - 1]?.group !== item.group;
  return html`${isFirst ? html`<div class="found-group" role="presentation">${item.group}</div>` : nothing}
    <div
      id=${`found-${place}`}
      class="found"
      role="option"
      aria-selected=${place === chosen.value}
      @mousedown=${(event) => event.preventDefault()}
      @click=${() => open(item)}
    >
      <span class="mono">${item.title}</span><span class="found-note">${item.note}</span>
    </div>`;
}
