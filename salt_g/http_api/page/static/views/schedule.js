// Schedules reported by minions, with one row for each job of each minion.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get } from "../lib/api.js";
import { argumentText, many, pill } from "../lib/format.js";
import { afterPause } from "../lib/live.js";
import { empty, Loading, when } from "../lib/loading.js";
import { place, refine, route } from "../lib/store.js";
import { RowWindow, table } from "../lib/table.js";

/** Settings of a job that say when it runs, with their labels. */
const TIMES = {
  cron: (v) => `cron ${v}`,
  when: (v) => `at ${[v].flat().join(", ")}`,
  once: (v) => `once ${v}`,
};
/** {setting with an interval: its unit (s)}. */
const UNITS = { days: 86400, hours: 3600, minutes: 60, seconds: 1 };

const found = new Loading();
const word = signal("");
const rowWindow = new RowWindow();
let asked = null;

export const title = () => "Schedule";

export function open({ query }) {
  const tgt = query.minion || "*";
  if (tgt !== asked) found.clear();
  asked = tgt;
  load();
}

const load = () =>
  found.load((control) => get("v1/schedules", { tgt: route.peek().query.minion || "*" }, control));

const typed = afterPause(400, (minion) => refine({ minion }));

export function view() {
  const { minion = "" } = route.value.query;
  return html`<div class="view schedule">
    <div class="view-main">
      <div class="view-head">
        <h1 tabindex="-1">Schedule</h1>
        ${
          found.data
            ? html`<span class="quiet"
                >${many(Object.keys(found.data.minions).length, "minion")} answered</span
              >`
            : nothing
        }
      </div>
      <div class="tools">
        <input
          type="search"
          class="filter"
          aria-label="Minions"
          placeholder="Minions, such as web*"
          spellcheck="false"
          .value=${liveValue(minion)}
          @input=${(event) => typed(event.target.value.trim())}
        />
        <input
          type="search"
          class="filter"
          aria-label="Filter"
          placeholder="Name or function"
          spellcheck="false"
          .value=${liveValue(word.value)}
          @input=${(event) => (word.value = event.target.value)}
        />
      </div>
      ${when(found, content, load)}
    </div>
  </div>`;
}

function content({ minions, silent }) {
  const all = Object.entries(minions).flatMap(([id, jobs]) =>
    Object.entries(jobs).map(([name, job]) => ({ id, name, job: job ?? {} })),
  );
  const wanted = word.value.toLowerCase();
  const rows = all
    .filter((one) => `${one.name} ${one.job.function}`.toLowerCase().includes(wanted))
    .sort(
      (one, other) =>
        one.id.localeCompare(other.id, "en", { numeric: true }) || one.name.localeCompare(other.name),
    );
  return html`${silent.length ? html`<p class="stopped">No answer from ${silent.slice(0, 20).join(", ")}${silent.length > 20 ? ` and ${silent.length - 20} more` : nothing}.</p>` : nothing}
  ${rows.length ? table({ window: rowWindow, label: "Scheduled jobs", columns: COLUMNS, count: rows.length, rowAt: (at) => rows[at] }) : none(all.length)}`;
}

function none(count) {
  if (count) return empty("No job fits");
  return empty(
    "Nothing is scheduled",
    "Jobs come from the setting schedule, from pillar, or from schedule.add.",
  );
}

const COLUMNS = [
  { title: "Job", kind: "c-fun", cell: (one) => html`<span class="mono strong">${one.name}</span>` },
  {
    title: "Minion",
    kind: "c-minions",
    cell: (one) => html`<a class="mono" href=${place("fleet", [one.id])}>${one.id}</a>`,
  },
  { title: "Runs", kind: "c-call", cell: call },
  { title: "When", kind: "c-when c-optional", cell: ({ job }) => times(job) },
  {
    title: "State",
    kind: "c-verdict",
    cell: ({ job }) => (job.enabled === false ? pill("none", "off") : pill("ok", "on")),
  },
];

function call({ job }) {
  const named = Object.entries(job.kwargs ?? {}).map(([name, value]) => `${name}=${value}`);
  return html`<span class="mono"
    >${job.function ?? ""}
    <span class="quiet">${argumentText([job.args ?? []].flat())} ${named.join(" ")}</span></span
  >`;
}

function times(job) {
  const seconds = Object.entries(UNITS).reduce(
    (sum, [name, unit]) => sum + (Number(job[name]) || 0) * unit,
    0,
  );
  const others = Object.entries(TIMES)
    .filter(([name]) => job[name])
    .map(([name, text]) => text(job[name]));
  return [...(seconds ? [every(seconds)] : []), ...others].join(", ") || "–";
}

/** Return an interval in the largest unit that divides it. */
function every(seconds) {
  const [name, unit] = Object.entries(UNITS).find(([, one]) => seconds % one === 0);
  const count = seconds / unit;
  return count === 1 ? `every ${name.slice(0, -1)}` : `every ${many(count, name.slice(0, -1))}`;
}
