// Loading of data: one state machine, and one look in all views, for loading, empty, refused and failed.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** Data of one request; `ask(signal)` returns a promise. A newer request replaces an older one. */
export class Loading {
  constructor() {
    this.state = signal({ phase: "idle", data: null, problem: null });
  }

  get data() {
    return this.state.value.data;
  }

  /** Send the request; the old data stays until the answer arrives. */
  async load(ask) {
    this.control?.abort();
    const control = (this.control = new AbortController());
    const before = this.state.peek();
    this.state.value = { ...before, phase: before.data === null ? "loading" : "again" };
    try {
      const data = await ask(control.signal);
      if (this.control === control) this.state.value = { phase: "ready", data, problem: null };
      return data;
    } catch (problem) {
      if (problem.name === "AbortError" || this.control !== control) return undefined;
      this.state.value = { phase: "failed", data: before.data, problem };
      return undefined;
    }
  }

  clear() {
    this.control?.abort();
    this.control = null;
    this.state.value = { phase: "idle", data: null, problem: null };
  }
}

/** Return the result of `shown(data)`, or a box that says why there is no data. */
export function when(loading, shown, again) {
  const { phase, data, problem } = loading.state.value;
  if (problem && (data === null || problem.status === 403)) return trouble(problem, again);
  if (data === null) return waiting();
  return html`${problem ? trouble(problem, again) : nothing}${shown(data, phase)}`;
}

export function waiting(text = "Loading") {
  return html`<div class="blank" role="status">
    <span class="spinner" aria-hidden="true"></span>${text}…
  </div>`;
}

/** Return a box for an empty list: a sentence, what to do, and perhaps a button. */
export function empty(title, text = "", action = nothing) {
  return html`<div class="blank empty">
    <p class="blank-title">${title}</p>
    ${text ? html`<p>${text}</p>` : nothing} ${action}
  </div>`;
}

/** Return a box for a refusal; for a missing right it has no button to try again. */
export function trouble(problem, again) {
  const isRight = problem.status === 403;
  const title = isRight ? "You may not see this" : problem.status ? problem.title : "No connection";
  return html`<div class="blank trouble" role="alert">
    <p class="blank-title">${title}</p>
    <p>${sentence(problem.detail)} ${problem.hint ? sentence(problem.hint) : nothing}</p>
    ${again && !isRight ? html`<button class="button" @click=${again}>Try again</button>` : nothing}
  </div>`;
}

/** Return a text as a sentence, with a capital letter and a full stop. */
export function sentence(text) {
  const whole = String(text || "").trim();
  if (!whole) return "";
  return whole[0].toUpperCase() + whole.slice(1) + (/[.!?]$/.test(whole) ? "" : ".");
}
