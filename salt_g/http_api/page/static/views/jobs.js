// Jobs: the list, the newest first; and one job, when the route names it.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get } from "../lib/api.js";
import { ago, argumentText, counts, momentOf, number, pill, targetText } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { afterPause, follow } from "../lib/live.js";
import { empty, Loading, trouble, waiting } from "../lib/loading.js";
import { go, place, refine, route, stored, store } from "../lib/store.js";
import { RowWindow, table } from "../lib/table.js";
import * as job from "./job.js";

const PAGE = 100;
/** Age below which a job may still return (ms). */
const YOUNG = 600_000;
/** Functions that this page and similar programs call on minions for their users. */
const QUESTIONS = [
  "sys.doc",
  "sys.argspec",
  "schedule.list",
  "saltutil.find_job",
  "saltutil.running",
  "runner.resource.list",
];
const VERDICTS = ["failed", "silent", "would change", "changed", "ok"];

const first = new Loading();
const later = signal({ items: [], next: null });
const isAsking = signal(false);
const hidesQuestions = signal(stored("questions", "hidden") === "hidden");
const rowWindow = new RowWindow();
let leave = null;
let last = null;

export const title = () => (route.value.path[0] ? job.title() : "Jobs");

export function open({ path, query }) {
  if (path[0]) {
    stop();
    job.open(path[0]);
    return;
  }
  job.close();
  leave ??= follow(/^salt\/job\/\d+\/(new|ret)/, load, 1500);
  const wanted = JSON.stringify([query.fun, query.user, query.verdict]);
  if (wanted !== last) later.value = { items: [], next: null };
  last = wanted;
  load();
}

export function close() {
  job.close();
  stop();
}

function stop() {
  leave?.();
  leave = null;
}

const parameters = ({ fun, user, verdict }) => ({
  fun: fun && (fun.includes("*") ? fun : `*${fun}*`),
  user,
  verdict,
  limit: PAGE,
});

const load = () => first.load((control) => get("v1/jobs", parameters(route.peek().query), control));

async function more() {
  const after = later.value.items.length ? later.value.next : first.data?.next;
  if (!after || isAsking.value) return;
  isAsking.value = true;
  try {
    const reply = await get("v1/jobs", { ...parameters(route.peek().query), after });
    later.value = { items: [...later.value.items, ...reply.items], next: reply.next };
  } catch (problem) {
    later.value = { ...later.value, problem };
  }
  isAsking.value = false;
}

function items() {
  const seen = new Set();
  return [...(first.data?.items ?? []), ...later.value.items].filter(
    (one) =>
      !seen.has(one.jid) && seen.add(one.jid) && !(hidesQuestions.value && QUESTIONS.includes(one.fun)),
  );
}

const typed = afterPause(300, (name, value) => refineAndLoad({ [name]: value }));

function refineAndLoad(changes) {
  refine(changes);
  rowWindow.reset();
}

export function view() {
  if (route.value.path[0]) return job.view();
  const { fun = "", user = "", verdict = "" } = route.value.query;
  return html`<div class="view jobs">
    <div class="view-main">
      <div class="view-head">
        <h1 tabindex="-1">Jobs</h1>
        <div class="actions"><a class="button primary" href=${place("run")}>${icon("run")}Run</a></div>
      </div>
      <div class="tools">
        <input
          type="search"
          class="filter"
          aria-label="Function"
          placeholder="Function, such as state.apply"
          spellcheck="false"
          .value=${liveValue(fun)}
          @input=${(event) => typed("fun", event.target.value.trim())}
        />
        <input
          type="search"
          class="filter short"
          aria-label="User"
          placeholder="User"
          spellcheck="false"
          .value=${liveValue(user)}
          @input=${(event) => typed("user", event.target.value.trim())}
        />
        <select
          class="facet ${verdict ? "on" : ""}"
          aria-label="Verdict"
          @change=${(event) => refineAndLoad({ verdict: event.target.value })}
        >
          <option value="" .selected=${!verdict}>Verdict</option>
          ${VERDICTS.map((one) => html`<option .selected=${one === verdict}>${one}</option>`)}
        </select>
        <label class="option"
          ><input type="checkbox" .checked=${hidesQuestions.value} @change=${turn} /> Hide lookups</label
        >
      </div>
      ${content(fun || user || verdict)}
    </div>
  </div>`;
}

function turn(event) {
  hidesQuestions.value = event.target.checked;
  store("questions", event.target.checked ? "hidden" : "shown");
}

function content(isFiltered) {
  const { phase, problem } = first.state.value;
  if (problem && !first.data) return trouble(problem, load);
  if (!first.data) return waiting();
  const found = items();
  const next = later.value.items.length ? later.value.next : first.data.next;
  // A page may be empty while later ones are not.
  if (next && found.length < PAGE / 2 && !later.value.problem && phase !== "again") queueMicrotask(more);
  if (!found.length && next && !later.value.problem) return waiting("Looking through earlier jobs");
  if (!found.length) {
    if (isFiltered)
      return empty("No job fits", "", html`<a class="button" href=${place("jobs")}>Show all</a>`);
    return empty(
      "There is no job yet",
      "",
      html`<a class="button primary" href=${place("run")}>${icon("run")}Run the first</a>`,
    );
  }
  return html`${table({
    window: rowWindow,
    label: "Jobs",
    columns: COLUMNS,
    count: found.length,
    rowAt: (place) => found[place],
    open: (row) => go("jobs", [row.jid]),
  })}
  ${next ? html`<div class="more"><button class="button small" ?disabled=${isAsking.value} @click=${more}>Earlier jobs</button></div>` : nothing}`;
}

const COLUMNS = [
  { title: "Function", kind: "c-fun", cell: functionCell },
  { title: "Verdict", kind: "c-verdict", cell: verdictCell },
  { title: "Target", kind: "c-target mono", cell: (row) => targetCell(row) },
  {
    title: "Minions",
    kind: "c-counts c-optional",
    cell: (row) => html`<span class="counts">${counts(row.counts)}</span>`,
  },
  { title: "Returned", kind: "c-returned", cell: (row) => returned(row) },
  { title: "User", kind: "c-user c-optional", cell: (row) => row.user },
  { title: "Began", kind: "c-seen", cell: (row) => ago(momentOf(row.jid)) },
];

/** Calls of runners have no expected minions. */
const returned = (row) => number(row.returned) + (row.expected ? ` / ${number(row.expected)}` : "");

function functionCell(row) {
  const text = argumentText(row.arg);
  return html`<a class="mono" href=${place("jobs", [row.jid])}>${[row.fun].flat().join(", ")}</a>
    <span class="mono quiet">${text}</span>`;
}

export function verdictCell(row) {
  const isYoung = Date.now() - momentOf(row.jid) < YOUNG;
  return pill(row.verdict === "silent" && isYoung ? "waiting" : row.verdict);
}

function targetCell({ tgt, tgt_type: type }) {
  return html`<span title=${`${targetText(tgt)} (${type})`}>${targetText(tgt)}</span>`;
}
