// Frame of all views: bar with search and signs of life, menu, notices, list of keys.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { logout } from "../lib/api.js";
import { icon, logo } from "../lib/icons.js";
import { LIST } from "../lib/keyboard.js";
import * as live from "../lib/live.js";
import { hasShortcuts, helpIsOpen, life, me, notice, place, store, theme } from "../lib/store.js";
import { search } from "./search.js";

const MENU = [
  ["fleet", "Fleet"],
  ["jobs", "Jobs"],
  ["plans", "Plans"],
  ["rollouts", "Rollouts"],
  ["drift", "Drift"],
  ["history", "History"],
  ["keys", "Keys"],
  ["resources", "Resources"],
  ["schedule", "Schedule"],
  ["run", "Run"],
];
const THEMES = { auto: "light", light: "dark", dark: "auto" };
const LIFE = {
  live: "Events arrive as they happen",
  late: "Nothing was heard from the API for some time",
  lost: "No connection to the API, or it has none to its master; it is tried again",
};

let current = "";

/** Keep the current view visible in the menu, which scrolls on a narrow screen. */
function bring(name) {
  if (name === current) return;
  current = name;
  requestAnimationFrame(() =>
    document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }),
  );
}

export function frame(body, name) {
  bring(name);
  return html`<a class="skip" href="#main" @click=${skip}>Skip to content</a>
    <header class="bar">
      <a class="home" href=${place("fleet")} aria-label="salt-g, fleet">${logo}<span>salt-g</span></a>
      ${search()}
      <span class="life ${life.value}" role="status" title=${LIFE[life.value]}
        ><span class="dot" aria-hidden="true"></span> <span class="life-word">${life.value}</span></span
      >
      ${account()}
    </header>
    <nav class="menu" aria-label="Views">
      ${MENU.map(
        ([view, title]) =>
          html`<a href=${place(view)} aria-current=${view === name ? "page" : nothing}
            >${icon(view)}<span>${title}</span></a
          >`,
      )}
    </nav>
    <main id="main" tabindex="-1">${body()}</main>
    ${note()}${help()}`;
}

function skip(event) {
  event.preventDefault();
  document.querySelector("#main").focus();
}

function account() {
  return html`<div class="account">
    <button
      class="icon-button"
      title="Keyboard shortcuts"
      aria-label="Keyboard shortcuts"
      @click=${() => (helpIsOpen.value = true)}
    >
      ${icon("help")}
    </button>
    <button
      class="icon-button"
      title=${`Colours: ${theme.value}`}
      aria-label=${`Colours: ${theme.value}`}
      @click=${turnTheme}
    >
      ${icon("theme")}
    </button>
    <span class="user" title=${`Logged in by ${me.value.eauth}`}>${me.value.user}</span>
    <button class="icon-button" title="Log out" aria-label="Log out" @click=${leave}>${icon("leave")}</button>
  </div>`;
}

function turnTheme() {
  theme.value = THEMES[theme.value] ?? "auto";
  store("theme", theme.value);
}

async function leave() {
  live.stop();
  await logout().catch(() => {});
  me.value = null;
}

function note() {
  const shown = notice.value;
  return html`<div class="notices" role="status">
    ${shown ? html`<p class="notice ${shown.kind}">${shown.text}</p>` : nothing}
  </div>`;
}

function help() {
  if (!helpIsOpen.value) return nothing;
  return dialog(
    "Keyboard shortcuts",
    () => (helpIsOpen.value = false),
    html` <dl class="keys-list">
        ${LIST.map(
          ([keys, text]) =>
            html`<div>
              <dt>
                ${keys
                  .split(/(, | )/)
                  .map((one) => (one.trim().replace(",", "") ? html`<kbd>${one}</kbd>` : one))}
              </dt>
              <dd>${text}</dd>
            </div>`,
        )}
      </dl>
      <label class="option"
        ><input
          type="checkbox"
          .checked=${hasShortcuts.value}
          @change=${(event) => {
            hasShortcuts.value = event.target.checked;
            store("shortcuts", event.target.checked ? "on" : "off");
          }}
        />
        Shortcuts of single keys</label
      >`,
  );
}

/** Return an open dialog; `close` is called however it is closed. */
export function dialog(title, close, content) {
  return html`<dialog class="dialog" aria-label=${title} @close=${close} @click=${outside}>
      <div class="dialog-body">
        <div class="dialog-head">
          <h2>${title}</h2>
          <button
            class="icon-button"
            aria-label="Close"
            @click=${(event) => event.target.closest("dialog").close()}
          >
            ${icon("close")}
          </button>
        </div>
        ${content}
      </div>
    </dialog>
    ${open()}`;
}

function outside(event) {
  if (event.target === event.currentTarget) event.target.close();
}

/** Open the dialog once it has been rendered into the page, which makes it modal. */
function open() {
  queueMicrotask(() => {
    const found = document.querySelector("dialog:not([open])");
    if (found?.isConnected) found.showModal();
  });
  return nothing;
}
