// One job: a line for each minion, filled while its states run, and what a state did.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { remove } from "../lib/api.js";
import {
  ago,
  argumentText,
  counts,
  date,
  kindOf,
  many,
  momentOf,
  pill,
  targetText,
  WORDS,
} from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { LiveJob } from "../lib/live_job.js";
import { empty, sentence, when } from "../lib/loading.js";
import { clock, draft, go, refine, place, route, say } from "../lib/store.js";
import { RowWindow, table } from "../lib/table.js";
import { valueText } from "../lib/values.js";
import { linePanel } from "./line.js";
import { progress } from "./progress.js";

const LEGEND = ["ok", "changed", "would change", "failed", "skipped"];

const followed = new LiveJob();
const { detail, version } = followed;
const stopped = signal(null);
const isStopping = signal(false);
const rowWindow = new RowWindow();

export const title = () => (detail.data ? [detail.data.job.fun].flat().join(", ") : "Job");

export function open(wanted) {
  if (wanted !== followed.jid) stopped.value = null;
  followed.open(wanted);
}

export const close = () => followed.close();

async function stop() {
  isStopping.value = true;
  try {
    stopped.value = await remove(`v1/jobs/${followed.jid}`);
  } catch (problem) {
    say(`${sentence(problem.detail)} ${sentence(problem.hint)}`, "failed");
  }
  isStopping.value = false;
}

export function view() {
  return html`<div class="view job">${when(detail, content, () => followed.load())}</div>`;
}

function content({ job }) {
  version.value;
  const { model, jid } = followed;
  const lines = model.all();
  const chosen = chosenLine(lines);
  return html`<div class="view-main">
      <a class="back" href=${place("jobs")}>${icon("back")}Jobs</a>
      <div class="view-head">
        <h1 tabindex="-1" class="mono">
          ${[job.fun].flat().join(", ")} <span class="quiet">${argumentText(job.arg)}</span>
        </h1>
        <div class="actions">
          ${model.missing.length ? html`<button class="button danger" ?disabled=${isStopping.value} @click=${stop}>${icon("stop")}${isStopping.value ? "Stopping…" : "Stop"}</button>` : nothing}
          <button class="button" @click=${() => again(job)}>${icon("run")}Run again</button>
        </div>
      </div>
      ${head(job)} ${stopped.value ? ended(stopped.value) : nothing} ${progress(model, job.expected, legend)}
      ${lines.length ? grid(lines, chosen) : empty("The target matches no minion")}
    </div>
    ${chosen ? linePanel(chosen, { jid, cell: Number(route.value.query.state ?? -1), close: unchoose }) : nothing}`;
}

/** Return the line that contains the minion named in the route. */
const chosenLine = (lines) => lines.find((line) => line.ids.includes(route.value.query.minion));
const unchoose = () => refine({ minion: "", state: "" });

function head(job) {
  return html`<p class="job-head">
    <span>on <span class="mono" title=${job.tgt_type}>${targetText(job.tgt)}</span></span>
    <span>by ${job.user}</span>
    <span title=${date(momentOf(job.jid))}>${ago(momentOf(job.jid))}</span>
    <span class="mono quiet">${job.jid}</span>
  </p>`;
}

const legend = html`<span class="legend" aria-hidden="true"
  >${LEGEND.map((name) => html`<span><span class=${`cell ${kindOf(name)}`}></span>${WORDS[name]}</span>`)}</span
>`;

function grid(lines, chosen) {
  return table({
    window: rowWindow,
    label: "Minions of the job",
    columns: COLUMNS,
    count: lines.length,
    rowAt: (place) => lines[place],
    open: (line) => refine({ minion: line.ids[0], state: "" }),
    close: unchoose,
    current: (line) => line === chosen,
  });
}

const COLUMNS = [
  { title: "Minion", kind: "c-minions", cell: names },
  { title: "Verdict", kind: "c-verdict", cell: (line) => pill(line.verdict) },
  { title: "Result", kind: "c-cells", cell: result },
];

function names(line) {
  const [id, ...others] = line.ids;
  return html`<a class="mono" href=${place("jobs", [followed.jid], { minion: id })}>${id}</a>
    ${others.length ? html`<span class="quiet">and ${many(others.length, "other")}<span class="like"> like it</span></span>` : nothing}`;
}

function result(line) {
  if (line.states || line.cells.length || line.total) return cells(line);
  if (!line.hasReturned)
    return html`<span class="quiet">${line.verdict === "running" ? "running" : "has not returned"}</span>`;
  return html`<span class="mono preview">${valueText(line.value).split("\n", 1)[0] || "(nothing)"}</span>`;
}

/** Return the cells, which are only visual: their text is next to them, and the panel has a row for each. */
function cells(line) {
  const all = Array.from(
    { length: Math.max(line.total, line.cells.length) },
    (_, place) => line.cells[place],
  );
  const running = line.current?.n - 1;
  return html`<div class="cells-line">
    <span class="cells" aria-hidden="true" @click=${(event) => pressed(event, line)}
      >${all.map(
        (cell, place) =>
          html`<span
            class=${`cell ${cell ? kindOf(cell.verdict) : place === running ? "v-running" : "to-come"}`}
            data-place=${place}
            title=${cell ? `${cell.fun} ${cell.id}: ${WORDS[cell.verdict] ?? cell.verdict}` : nothing}
          ></span>`,
      )}</span
    >
    <span class="cells-text">${text(line)}</span>
  </div>`;
}

function text(line) {
  if (line.states) return counts(tally(line.states));
  const { current } = line;
  const step = current
    ? html` <span class="mono">${current.fun}</span> ${current.id} ${elapsed(current)}`
    : nothing;
  return html`<span class="quiet"
    >${line.done}/${line.total}${step} ${current?.line ? html`<q>${current.line}</q>` : nothing}</span
  >`;
}

function elapsed({ heard }) {
  const seconds = Math.floor((clock.value - heard) / 1000);
  return seconds > 4 ? `(${seconds} s)` : "";
}

export function tally(states) {
  const found = {};
  for (const { verdict } of states) found[verdict] = (found[verdict] ?? 0) + 1;
  return found;
}

function pressed(event, line) {
  const cell = event.target.closest("[data-place]");
  if (!cell) return;
  event.stopPropagation();
  refine({ minion: line.ids[0], state: cell.dataset.place });
}

function ended(reply) {
  const ids = Object.keys(reply.ended);
  return html`<div class="stopped" role="status">
    <b>${ids.length ? `Ended on ${many(ids.length, "minion")}` : "Nothing was running any more"}</b>
    ${ids.length ? html`<span class="mono">${ids.join(", ")}</span>` : nothing}
    ${reply.not_running.length ? html`<span>Not running on ${reply.not_running.join(", ")}.</span>` : nothing}
    ${reply.silent.length ? html`<span>No answer from ${reply.silent.join(", ")}.</span>` : nothing}
  </div>`;
}

/** Pass the job to Run, to start it again unchanged or changed. */
function again(job) {
  draft.value = {
    tgt: Array.isArray(job.tgt) ? job.tgt.join(",") : String(job.tgt),
    tgt_type: job.tgt_type,
    fun: [job.fun].flat()[0],
    arg: job.arg,
  };
  go("run");
}
