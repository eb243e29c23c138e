// Progress of a job: a bar whose parts are as wide as their counts, and the same in words.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { counts, kindOf, many, number, WORDS } from "../lib/format.js";

/** Return the progress of a job from its model; `expected` is the number of minions until their ids are known. */
export function progress(model, expected, more = nothing) {
  const found = model.counts();
  const names = Object.keys(WORDS).filter((name) => found[name]);
  const there = model.minions.size - model.missing.length;
  return html`<div class="stacked" aria-hidden="true">
      ${names.map(
        (name) => html`<span class=${`part ${kindOf(name)}`} .style=${`flex-grow:${found[name]}`}></span>`,
      )}
    </div>
    <div class="job-counts" role="status">
      <b>${number(there)} of ${many(model.minions.size || expected, "minion")} returned</b>
      <span class="counts">${counts(found)}</span>
      ${more}
    </div>`;
}
