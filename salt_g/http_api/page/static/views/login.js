// Login by user, password and, if there are several, module of external_auth, or at an OpenID provider.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { get, login } from "../lib/api.js";
import { logo } from "../lib/icons.js";
import { sentence } from "../lib/loading.js";
import { me, store, stored } from "../lib/store.js";

const modules = signal(null);
const problem = signal(null);
const isBusy = signal(false);
// Logins of this module happen at the provider, which the browser visits.
const PROVIDER = "oidc";

const NAMES = { pam: "System account", ldap: "LDAP", file: "Password file", sharedsecret: "Shared secret" };

get("v1/logins")
  .then((reply) => (modules.value = reply.eauth))
  .catch((refused) => {
    modules.value = [];
    problem.value = refused;
  });

async function submit(event) {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.target));
  isBusy.value = true;
  problem.value = null;
  try {
    await login(fields.username, fields.password, fields.eauth);
    store("eauth", fields.eauth);
    me.value = await get("v1/me");
  } catch (refused) {
    problem.value = refused;
    document.querySelector("#password")?.select();
  }
  isBusy.value = false;
}

function words(refused) {
  if (refused.status === 401) return "The user name or password is wrong.";
  return `${sentence(refused.detail)} ${sentence(refused.hint)}`;
}

function choice(names) {
  if (names.length < 2) return html`<input type="hidden" name="eauth" value=${names[0] ?? "pam"} />`;
  const last = stored("eauth", names[0]);
  return html`<label for="eauth">Account type</label>
    <select id="eauth" name="eauth">
      ${names.map(
        (name) => html`<option value=${name} ?selected=${name === last}>${NAMES[name] ?? name}</option>`,
      )}
    </select>`;
}

function head() {
  return html`<div class="login-head">
    ${logo}
    <h1>salt-g</h1>
  </div>`;
}

function atProvider(isAlone) {
  return html`<a class="button wide ${isAlone ? "primary" : ""}" href="oidc/login">Log in with single sign-on</a>`;
}

export function view() {
  const all = modules.value;
  const names = all?.filter((name) => name !== PROVIDER) ?? null;
  const hasProvider = all?.includes(PROVIDER) ?? false;
  if (hasProvider && names.length === 0) {
    return html`<main class="login">
      ${head()}
      <div class="panel">${atProvider(true)}</div>
      <p class="quiet small">${location.host}</p>
    </main>`;
  }
  return html`<main class="login">
    ${head()}
    <form class="panel" @submit=${submit}>
      ${problem.value ? html`<p class="alert" role="alert">${words(problem.value)}</p>` : nothing}
      ${
        names?.length === 0 && !problem.value
          ? html`<p class="alert" role="alert">
              Nobody can log in yet: set <code>external_auth</code> in the master's settings.
            </p>`
          : nothing
      }
      <label for="username">User</label>
      <input
        id="username"
        name="username"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        required
        autofocus
      />
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required />
      ${choice(names ?? [])}
      <button class="button primary wide" ?disabled=${isBusy.value || names === null}>
        ${isBusy.value ? "Logging in…" : "Log in"}
      </button>
      ${hasProvider ? atProvider(false) : nothing}
    </form>
    <p class="quiet small">${location.host}</p>
  </main>`;
}
