// Invitation of a minion: a dialog that ends with the one command to run there.

import { render, html, nothing } from "../vendor/lit-html/lit-html.js";
import { post } from "../lib/api.js";
import { icon } from "../lib/icons.js";
import { sentence } from "../lib/loading.js";
import { say } from "../lib/store.js";

const LASTS = [
  [3600, "1 hour"],
  [86400, "1 day"],
  [604800, "7 days"],
];

/** Show the dialog; `id` is that of the minion, '' for any. `done` is called with each new invitation. */
export function invite(id, done = () => {}) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-label", "Invite a minion");
  const leave = () => dialog.close();
  addEventListener("hashchange", leave);
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", leave);
    dialog.remove();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const state = { id, made: null, problem: null, isBusy: false };
  const draw = (changes) => render(content(Object.assign(state, changes), dialog, draw, done), dialog);
  draw({});
  document.body.append(dialog);
  dialog.showModal();
}

function content(state, dialog, draw, done) {
  return html`<div class="dialog-body">
    <div class="dialog-head">
      <h2>Invite a minion</h2>
      <button class="icon-button" aria-label="Close" @click=${() => dialog.close()}>${icon("close")}</button>
    </div>
    ${state.made ? made(state.made, dialog) : form(state, draw, done)}
  </div>`;
}

function form(state, draw, done) {
  return html`<form @submit=${(event) => submit(event, draw, done)}>
    <p class="quiet">
      A new machine runs one command. It brings the master's fingerprint and a code, so its key is accepted
      without comparing.
    </p>
    ${state.problem ? html`<p class="alert" role="alert">${sentence(state.problem.detail)} ${sentence(state.problem.hint)}</p>` : nothing}
    <label for="invite-id">Minion</label>
    <input
      id="invite-id"
      name="id"
      class="mono"
      .value=${state.id}
      placeholder="any id"
      spellcheck="false"
      autocapitalize="none"
    />
    <label for="invite-address">Address of the master</label>
    <input
      id="invite-address"
      name="address"
      class="mono"
      .value=${location.hostname}
      spellcheck="false"
      autocapitalize="none"
    />
    <div class="pair">
      <div>
        <label for="invite-expires">Good for</label>
        <select id="invite-expires" name="expires">
          ${LASTS.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
        </select>
      </div>
      <div>
        <label for="invite-uses">Machines</label>
        <input id="invite-uses" name="uses" type="number" min="1" max="1000" value="1" required />
      </div>
    </div>
    <div class="dialog-actions">
      <button class="button primary" ?disabled=${state.isBusy}>Make the command</button>
    </div>
  </form>`;
}

async function submit(event, draw, done) {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.target));
  const body = { expires: Number(fields.expires), uses: Number(fields.uses) };
  for (const name of ["id", "address"]) if (fields[name].trim()) body[name] = fields[name].trim();
  draw({ isBusy: true, problem: null, id: fields.id });
  try {
    draw({ made: await post("v1/invitations", body), isBusy: false });
    done();
  } catch (problem) {
    draw({ problem, isBusy: false });
  }
}

function made(found, dialog) {
  return html`<p>Run this as root on the new machine. It is shown once.</p>
    <pre class="command" tabindex="0">${found.command}</pre>
    <dl class="facts">
      <div>
        <dt>Fingerprint</dt>
        <dd class="mono">${found.finger}</dd>
      </div>
    </dl>
    <div class="dialog-actions">
      <button class="button primary" @click=${() => copy(found.command)}>${icon("copy")}Copy</button>
      <button class="button" @click=${() => dialog.close()}>Done</button>
    </div>`;
}

/** Copy a text; without a secure context the user has to copy it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("The browser does not allow this page to copy: select the text instead", "failed");
  }
}
