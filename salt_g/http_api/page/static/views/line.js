// Panel of a job's line: which minions, what each state did, or what a function returned.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { duration, many, pill } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { place } from "../lib/store.js";
import { block, changes } from "../lib/values.js";

/** Maximum number of ids of equal minions in the list. */
const MOST_IDS = 200;

/** Return the panel; `cell` is the number of the state to show, -1 for failures and changes. */
export function linePanel(line, { cell, close }) {
  const [id, ...others] = line.ids;
  return html`<aside class="side" aria-label=${`Result of ${id}`}>
    <div class="side-head">
      <h2 class="mono">${id}</h2>
      ${pill(line.verdict)}
      <button class="icon-button" aria-label="Close" @click=${close}>${icon("close")}</button>
    </div>
    <div class="side-body" tabindex="0" role="region" aria-label="Result">
      ${others.length ? equals(others) : nothing}
      <div class="side-actions">
        <a class="button small" href=${place("fleet", [id])}>${icon("fleet")}Show in fleet</a>
      </div>
      ${body(line, cell)}
    </div>
  </aside>`;
}

function equals(ids) {
  return html`<details class="equals">
    <summary>and ${many(ids.length, "minion")} with the same result</summary>
    <p class="mono">
      ${ids.slice(0, MOST_IDS).map((id) => html`<a href=${place("fleet", [id])}>${id}</a> `)}
      ${ids.length > MOST_IDS ? `… ${ids.length - MOST_IDS} more` : nothing}
    </p>
  </details>`;
}

function body(line, cell) {
  if (line.states) return states(line.states, cell);
  if (line.hasReturned)
    return html`<h3>Return</h3>
      ${block(line.value)}`;
  if (line.cells.length)
    return html`${states(line.cells.filter(Boolean), cell)}
      <p class="quiet">It is still running.</p>`;
  return html`<p class="quiet">It has not returned.</p>`;
}

/** Return a state: failures, changes and the state that was pressed are open. */
function states(found, cell) {
  const isShort = found.length <= 4;
  const first = cell < 0 ? found.findIndex((state) => state.verdict === "failed") : cell;
  return html`<ol class="states">
      ${found.map((state, number) => {
        const isOpen =
          number === cell ||
          (cell < 0 && (state.verdict === "failed" || (isShort && state.verdict !== "ok")));
        return html`<li>
          <details
            .open=${isOpen}
            data-chosen=${number === cell ? "yes" : nothing}
            data-first=${number === first ? "yes" : nothing}
          >
            <summary>
              ${pill(state.verdict)}
              <span class="state-name"><span class="mono">${state.fun}</span> ${state.id}</span>
              <span class="quiet small">${duration(state.ms ?? 0)}</span>
            </summary>
            ${stateBody(state)}
          </details>
        </li>`;
      })}
    </ol>
    ${bring(first)}`;
}

let brought = "";

/** Bring the state that was pressed, or the first failure, into view: once for each place. */
function bring(number) {
  if (number >= 0 && location.hash !== brought) {
    brought = location.hash;
    requestAnimationFrame(() => document.querySelector("[data-first]")?.scrollIntoView({ block: "nearest" }));
  }
  return nothing;
}

function stateBody(state) {
  return html`<div class="state-body">
    <dl class="facts">
      ${
        state.name && state.name !== state.id
          ? html`<div>
              <dt>Name</dt>
              <dd class="mono">${state.name}</dd>
            </div>`
          : nothing
      }
      ${
        state.place || state.sls
          ? html`<div>
              <dt>From</dt>
              <dd class="mono">${state.place || state.sls}</dd>
            </div>`
          : nothing
      }
      <div>
        <dt>Duration</dt>
        <dd>${duration(state.ms ?? 0)}</dd>
      </div>
    </dl>
    ${state.comment ? html`<p class="comment">${state.comment}</p>` : nothing} ${changes(state.changes)}
  </div>`;
}
