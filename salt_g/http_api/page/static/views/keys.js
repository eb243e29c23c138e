// Keys with their fingerprints, pending ones first; invitations below.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get, post, remove } from "../lib/api.js";
import { date, many, number } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { follow } from "../lib/live.js";
import { empty, Loading, sentence, when } from "../lib/loading.js";
import { say } from "../lib/store.js";
import { RowWindow, table } from "../lib/table.js";
import { dialog } from "./frame.js";
import { invite } from "./invite.js";

const STATES = ["pending", "accepted", "rejected", "denied"];
const DONE = { accept: "accepted", reject: "rejected", delete: "deleted" };
/** Possible actions on a key, by its state. */
const ACTS = {
  pending: ["accept", "reject", "delete"],
  accepted: ["reject", "delete"],
  rejected: ["accept", "delete"],
  denied: ["delete"],
};

const keys = new Loading();
const invitations = new Loading();
const state = signal("");
const word = signal("");
const asked = signal(null);
const rowWindow = new RowWindow(132);
let leave = null;

export const title = () => "Keys";

export function open() {
  leave ??= follow(/^salt\/(auth|key)/, load, 1500);
  load();
}

export function close() {
  leave?.();
  leave = null;
  asked.value = null;
}

function load() {
  keys.load((control) => all("v1/keys", control));
  invitations.load((control) => get("v1/invitations", {}, control));
}

async function all(path, control) {
  const items = [];
  for (let after = ""; after !== null;) {
    const reply = await get(path, { after, limit: 10_000 }, control);
    items.push(...reply.items);
    after = reply.next;
  }
  return items.sort(
    (one, other) =>
      STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
      one.id.localeCompare(other.id, "en", { numeric: true }),
  );
}

async function act(name, { id }) {
  asked.value = null;
  try {
    await post(`v1/keys/${encodeURIComponent(id)}:${name}`);
    say(`The key of ${id} was ${DONE[name]}`);
  } catch (problem) {
    say(`${sentence(problem.detail)} ${sentence(problem.hint)}`, "failed");
  }
  load();
}

export function view() {
  return html`<div class="view keys">
    <div class="view-main">
      <div class="view-head">
        <h1 tabindex="-1">Keys</h1>
        <div class="actions">
          <button class="button primary" @click=${() => invite("", load)}>${icon("add")}Invite</button>
        </div>
      </div>
      ${when(keys, content, load)}
      ${invitations.data?.items.length ? invited(invitations.data.items) : nothing}
    </div>
    ${asked.value ? confirmation(asked.value) : nothing}
  </div>`;
}

function content(all) {
  const counts = Object.fromEntries(
    STATES.map((name) => [name, all.filter((key) => key.state === name).length]),
  );
  const wanted = word.value.toLowerCase();
  const found = all.filter(
    (key) =>
      (!state.value || key.state === state.value) &&
      `${key.id} ${key.fingerprint}`.toLowerCase().includes(wanted),
  );
  return html`<div class="chips" role="group" aria-label="Filter by state">
      ${STATES.map((name) => chip(name, counts[name]))}
    </div>
    <div class="tools">
      <input
        type="search"
        class="filter"
        aria-label="Filter"
        placeholder="Id or fingerprint"
        spellcheck="false"
        .value=${liveValue(word.value)}
        @input=${(event) => {
          word.value = event.target.value;
          rowWindow.reset();
        }}
      />
    </div>
    ${found.length ? list(found) : nothingThere(all)}`;
}

function nothingThere(all) {
  if (all.length) return empty("No key fits");
  return empty(
    "There is no key yet",
    "A minion that knows this master's address sends its key, which waits here until it is accepted.",
  );
}

function chip(name, count) {
  return html`<button
    class=${`chip v-${name}`}
    aria-pressed=${state.value === name}
    @click=${() => {
      state.value = state.value === name ? "" : name;
      rowWindow.reset();
    }}
  >
    <span class="swatch" aria-hidden="true"></span><b>${number(count)}</b> ${name}
  </button>`;
}

function list(found) {
  return table({
    window: rowWindow,
    label: "Keys",
    columns: COLUMNS,
    count: found.length,
    rowAt: (place) => found[place],
  });
}

const COLUMNS = [
  { title: "Minion", kind: "c-minions", cell: (key) => html`<span class="mono">${key.id}</span>` },
  {
    title: "State",
    kind: "c-verdict",
    cell: (key) => html`<span class=${`pill v-${key.state}`}>${key.state}</span>`,
  },
  {
    title: "Fingerprint",
    kind: "c-finger",
    cell: (key) => html`<span class="mono finger" title=${key.fingerprint}>${halves(key)}</span>`,
  },
  { title: html`<span class="sr">Actions</span>`, kind: "c-acts", cell: acts },
];

/** Return a fingerprint (SHA-256) as two halves of 16 bytes, side by side or one below the other. */
const halves = ({ fingerprint }) =>
  html`<span>${fingerprint.slice(0, 48)}</span><span>${fingerprint.slice(48)}</span>`;

function acts(key) {
  return html`<span class="acts"
    >${(ACTS[key.state] ?? []).map((name) => {
      const kind = name === "accept" ? "primary" : name === "delete" ? "danger" : "";
      const needsQuestion = name === "delete" || (name === "reject" && key.state === "accepted");
      const run = () => (needsQuestion ? (asked.value = { name, key }) : act(name, key));
      return html`<button
        class=${`button small ${kind}`}
        aria-label=${`${name} the key of ${key.id}`}
        @click=${run}
      >
        ${name[0].toUpperCase() + name.slice(1)}
      </button>`;
    })}</span
  >`;
}

function confirmation({ name, key }) {
  const text =
    name === "delete"
      ? "The minion has to send its key again, and it has to be accepted again, before it can be used."
      : "The minion is cut off at once, and cannot sign in until its key is accepted again.";
  return dialog(
    `${name[0].toUpperCase() + name.slice(1)} the key of ${key.id}?`,
    () => (asked.value = null),
    html` <p>${text}</p>
      <p class="mono finger">${halves(key)}</p>
      <div class="dialog-actions">
        <button class="button" @click=${() => (asked.value = null)}>Cancel</button>
        <button class="button danger" @click=${() => act(name, key)}>
          ${name[0].toUpperCase() + name.slice(1)}
        </button>
      </div>`,
  );
}

function invited(items) {
  return html`<section class="invitations">
    <h2>Invitations</h2>
    <ul>
      ${items.map(
        (one) =>
          html`<li>
            <span class="mono">${one.id || "any minion"}</span>
            <span class="quiet"
              >by ${one.by}, ${many(one.left, "use")} left, until ${date(one.expires * 1000)}</span
            >
            <button
              class="button small"
              aria-label=${`Revoke the invitation of ${one.id || "any minion"}`}
              @click=${() => revoke(one)}
            >
              Revoke
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}

async function revoke({ number: which }) {
  try {
    await remove(`v1/invitations/${which}`);
    say("The invitation was revoked");
  } catch (problem) {
    say(problem.message, "failed");
  }
  load();
}
