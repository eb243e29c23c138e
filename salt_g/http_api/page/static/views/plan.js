// One plan: its changes grouped by content, its approval, and the job that applies it while it runs.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get, post, remove } from "../lib/api.js";
import { ago, argumentText, date, many, number } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { afterPause } from "../lib/live.js";
import { LiveJob } from "../lib/live_job.js";
import { Loading, sentence, when } from "../lib/loading.js";
import { clock, go, me, place, refine, route, say } from "../lib/store.js";
import { dialog } from "./frame.js";
import { cards, clearCards, offerCards } from "./plan_cards.js";
import { left, statePill } from "./plans.js";
import { progress } from "./progress.js";

const PAGE = 50;
/** Maximum number of named minions that have no part in the plan. */
const NAMED = 50;

const detail = new Loading();
const first = new Loading();
const later = signal({ items: [], next: null });
const asked = signal("");
const accepts = signal(false);
const isBusy = signal(false);
const job = new LiveJob(over);
let id = "";

export const title = () => (detail.data ? `Plan ${detail.data.plan.name || id}` : "Plan");

export function open(wanted) {
  if (wanted !== id) {
    close();
    id = wanted;
    load();
  }
  offerCards(() => go("plans"));
}

export function close() {
  id = "";
  job.close();
  detail.clear();
  first.clear();
  clearCards();
  asked.value = "";
  later.value = { items: [], next: null };
}

async function load() {
  const mine = id;
  const reply = await detail.load((control) => get(`v1/plans/${mine}`, {}, control));
  if (!reply || mine !== id) return;
  const { state, jid, applied } = reply.plan;
  if (state === "testing") job.open(jid);
  else if (applied.length) job.open(applied.at(-1).jid);
  await changes();
}

async function changes() {
  later.value = { items: [], next: null };
  const minion = route.peek().query.minion ?? "";
  await first.load((control) => get(`v1/plans/${id}/changes`, { minion, limit: PAGE }, control));
}

async function more() {
  const after = later.value.items.length ? later.value.next : first.data.next;
  const minion = route.peek().query.minion ?? "";
  const reply = await get(`v1/plans/${id}/changes`, { minion, after, limit: PAGE }).catch((problem) =>
    say(problem.message, "failed"),
  );
  if (reply) later.value = { items: [...later.value.items, ...reply.items], next: reply.next };
}

/** When the test run is over, its maker's page closes the plan; other users only read it. */
async function over() {
  const plan = detail.data?.plan;
  if (plan?.state === "testing") {
    if (plan.user === me.value.user) await post(`v1/plans/${id}:close`).catch(() => {});
    await load();
  }
}

async function act(name, call) {
  isBusy.value = true;
  try {
    await call();
  } catch (problem) {
    say(`${sentence(problem.detail)} ${sentence(problem.hint)}`, "failed");
  }
  asked.value = "";
  isBusy.value = false;
  if (name !== "drop" && id) await load();
}

const approve = () =>
  act("approve", async () => {
    await post(`v1/plans/${id}:approve`);
    say("The plan was approved");
  });

const apply = () =>
  act("apply", async () => {
    await post(`v1/plans/${id}:apply`, { accept_opaque: accepts.value });
  });

const drop = () =>
  act("drop", async () => {
    await remove(`v1/plans/${id}`);
    say("The plan was dropped");
    go("plans");
  });

export function view() {
  return html`<div class="view plan">
    <div class="view-main">
      <a class="back" href=${place("plans")}>${icon("back")}Plans</a>
      ${when(detail, content, load)}
    </div>
    ${asked.value && detail.data ? question(detail.data.plan) : nothing}
  </div>`;
}

function content(reply) {
  const { plan } = reply;
  return html`<div class="view-head">
      <h1 tabindex="-1" class="mono">${plan.fun} <span class="quiet">${argumentText(plan.arg)}</span></h1>
      ${statePill(plan)}
      <div class="actions">${actions(plan)}</div>
    </div>
    ${head(plan)} ${sums(reply)} ${running(plan)} ${without(reply)} ${found(reply)}`;
}

function actions({ state }) {
  const ask = (name) => () => (asked.value = name);
  return html`${state === "waiting" ? html`<button class="button primary" ?disabled=${isBusy.value} @click=${approve}>Approve</button>` : nothing}
    ${state === "ready" ? html`<button class="button primary" ?disabled=${isBusy.value} @click=${ask("apply")}>${icon("run")}Apply</button>` : nothing}
    <button class="button danger" @click=${ask("drop")}>Drop</button>`;
}

function head(plan) {
  return html`<p class="job-head">
    <span class="mono">${plan.name ? `${plan.name} (${plan.id})` : plan.id}</span>
    <span>by ${plan.user}, ${ago(plan.made * 1000)}</span>
    ${plan.approvals.map((one) => html`<span>approved by ${one.user}, ${ago(one.at * 1000)}</span>`)}
    ${plan.applied.map((one) => html`<span>applied by ${one.user}, ${ago(one.at * 1000)}</span>`)}
    <span title=${date(plan.until * 1000)}>ends ${left(plan.until)}</span>
  </p>`;
}

const SUMS = [
  ["change", "would change", "would-change"],
  ["nothing", "nothing to do", "ok"],
  ["refused", "not in it", "silent"],
  ["failing", "states fail", "failed"],
  ["opaque", "commands", "would-change"],
];

function sums({ plan }) {
  const counts = { ...plan.counts, refused: plan.refused };
  if (plan.state === "testing") return nothing;
  const shown = SUMS.filter(([name]) => counts[name] || name === "change");
  return html`<dl class="sums">
    <div>
      <dt>minions</dt>
      <dd>${number(plan.minions)}</dd>
    </div>
    ${shown.map(
      ([name, words, kind]) =>
        html`<div class=${`v-${kind}`}>
          <dt>${words}</dt>
          <dd>${number(counts[name])}</dd>
        </div>`,
    )}
    <div>
      <dt>states change</dt>
      <dd>${number(counts.states ?? 0)}</dd>
    </div>
  </dl>`;
}

/** Return the test run that makes the plan, or the job that applies it, running or ended. */
function running(plan) {
  if (!job.jid) return nothing;
  job.version.value;
  const words = plan.state === "testing" ? "Test run" : "Application";
  return html`<section class="plan-run" aria-label=${words}>
    <div class="plan-run-head">
      <h2>${words}</h2>
      <a href=${place("jobs", [job.jid])}>Show the job</a>
    </div>
    ${progress(job.model, plan.minions)}
  </section>`;
}

function without({ refused }) {
  const all = Object.entries(refused);
  if (!all.length) return nothing;
  return html`<details class="without">
    <summary>${many(all.length, "minion")} ${all.length === 1 ? "is" : "are"} not in it</summary>
    <ul>
      ${all.slice(0, NAMED).map(([name, why]) => html`<li><a class="mono" href=${place("fleet", [name])}>${name}</a> ${why}</li>`)}
      ${all.length > NAMED ? html`<li class="quiet">and ${number(all.length - NAMED)} more</li>` : nothing}
    </ul>
  </details>`;
}

const typed = afterPause(300, (value) => {
  refine({ minion: value });
  changes();
});

function found({ plan }) {
  const minion = route.value.query.minion ?? "";
  const { total = 0, idle = [] } = first.data ?? {};
  return html`<div class="tools">
      <h2 class="plan-title">${first.data ? many(total, "change") : "Changes"}</h2>
      <input
        type="search"
        class="filter short"
        aria-label="Minion"
        placeholder="of one minion"
        spellcheck="false"
        .value=${liveValue(minion)}
        @input=${(event) => typed(event.target.value.trim())}
      />
      ${idle.length ? html`<span class="quiet">nothing to do on ${some(idle)}</span>` : nothing}
    </div>
    ${when(first, (page) => cards({ items: [...page.items, ...later.value.items], next: later.value.items.length ? later.value.next : page.next, more, plan, minion }), changes)}`;
}

const some = (ids) =>
  ids.length > 3 ? `${ids.slice(0, 3).join(", ")} and ${number(ids.length - 3)} more` : ids.join(", ");

function question(plan) {
  const close = () => (asked.value = "");
  if (asked.value === "drop")
    return dialog(
      `Drop plan ${plan.name || plan.id}?`,
      close,
      html`<p>It can then be neither approved nor applied. What it has already changed stays.</p>
        <div class="dialog-actions">
          <button class="button" @click=${close}>Cancel</button>
          <button class="button danger" @click=${drop}>Drop</button>
        </div>`,
    );
  const { opaque, minions, change, states } = plan.counts;
  const needs = Boolean(opaque) && !accepts.value;
  return dialog(
    `Apply plan ${plan.name || plan.id}?`,
    close,
    html`<p>
        ${number(change)} of ${many(minions, "minion")} change in ${many(states, "state")}, exactly as shown. Where anything
        differs by then, that minion changes nothing and says why.
      </p>
      ${
        opaque
          ? html`<label class="option"
              ><input
                type="checkbox"
                .checked=${accepts.value}
                @change=${(event) => (accepts.value = event.target.checked)}
              />
              Also run ${many(opaque, "command")}, whose changes no plan knows</label
            >`
          : nothing
      }
      <div class="dialog-actions">
        <button class="button" @click=${close}>Cancel</button>
        <button class="button primary" ?disabled=${isBusy.value || needs} @click=${apply}>Apply</button>
      </div>`,
  );
}
