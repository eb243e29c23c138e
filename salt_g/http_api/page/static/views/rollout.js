// One rollout: its waves as columns with their counts, those that failed and why; pause, resume, stop.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { get, post } from "../lib/api.js";
import { ago, argumentText, date, many, number, targetText } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { offer } from "../lib/keyboard.js";
import { follow } from "../lib/live.js";
import { Loading, sentence, when } from "../lib/loading.js";
import { go, place, say } from "../lib/store.js";
import { dialog } from "./frame.js";

/** {state of a rollout or wave: class of a verdict}. */
const STATES = { running: "running", paused: "would", stopped: "failed", done: "ok", undone: "silent" };
const WAVES = {
  waiting: "none",
  running: "running",
  soaking: "changed",
  checking: "changed",
  done: "ok",
  failed: "failed",
};
/** Maximum numbers of named minions and failures of a wave. */
const NAMED = 12;
const DONE = { pause: "paused", resume: "resumed", stop: "stopped" };

const found = new Loading();
const isBusy = signal(false);
const asksStop = signal(false);
const opened = signal(new Set());
let leave = null;
let jid = "";

export const title = () => (found.data ? `Rollout of ${found.data.function}` : "Rollout");
export const kindOfWave = (state) => `v-${WAVES[state] ?? "none"}`;
export const statePill = (state) =>
  html`<span class=${`pill v-${STATES[state] ?? "none"}`}>${state}</span>`;

export function open(wanted) {
  if (wanted !== jid) {
    close();
    jid = wanted;
    leave = follow(/^salt\/(rollout\/|job\/\d+\/ret)/, load, 1500);
    load();
  }
  offer({ close: () => go("rollouts") });
}

export function close() {
  jid = "";
  leave?.();
  leave = null;
  found.clear();
  asksStop.value = false;
  opened.value = new Set();
}

const load = () => found.load((control) => get(`v1/rollouts/${jid}`, {}, control));

async function act(name) {
  isBusy.value = true;
  asksStop.value = false;
  try {
    await post(`v1/rollouts/${jid}:${name}`);
    say(`The rollout was ${DONE[name]}`);
  } catch (problem) {
    say(`${sentence(problem.detail)} ${sentence(problem.hint)}`, "failed");
  }
  isBusy.value = false;
  if (jid) load();
}

export function view() {
  return html`<div class="view rollout">
    <div class="view-main">
      <a class="back" href=${place("rollouts")}>${icon("back")}Rollouts</a>
      ${when(found, content, load)}
    </div>
    ${asksStop.value && found.data ? question(found.data) : nothing}
  </div>`;
}

function content(one) {
  return html`<div class="view-head">
      <h1 tabindex="-1" class="mono">${one.function} <span class="quiet">${argumentText(one.arguments)}</span></h1>
      ${statePill(one.state)}
      <div class="actions">${actions(one)}</div>
    </div>
    <p class="job-head">
      <span>on <span class="mono">${targetText(one.target)}</span></span>
      <span>by ${one.user}</span>
      <span title=${date(one.started * 1000)}>${ago(one.started * 1000)}</span>
      ${one.ended ? html`<span title=${date(one.ended * 1000)}>ended ${ago(one.ended * 1000)}</span>` : nothing}
      <a class="mono" href=${place("jobs", [one.jid])}>${one.jid}</a>
    </p>
    ${one.stopped ? html`<p class="stopped failed" role="status"><b>Stopped:</b> ${one.stopped}</p>` : nothing}
    ${sums(one)}
    <div class="waves-box" tabindex="0" role="region" aria-label="Waves">
      <ol class="waves">${one.waves.map(column)}</ol>
    </div>`;
}

function actions({ state }) {
  const button = (name, text, kind = "") =>
    html`<button class=${`button ${kind}`} ?disabled=${isBusy.value} @click=${() => act(name)}>${text}</button>`;
  const stop = html`<button class="button danger" ?disabled=${isBusy.value} @click=${() => (asksStop.value = true)}>
    ${icon("stop")}Stop
  </button>`;
  if (state === "running") return html`${button("pause", "Pause")} ${stop}`;
  if (state === "paused") return html`${button("resume", "Resume", "primary")} ${stop}`;
  return nothing;
}

function sums({ reached, total, untouched, undone, waves, away, undo_failed }) {
  const failures = waves.reduce((sum, wave) => sum + wave.failures, 0);
  const cells = [
    ["reached", `${number(reached)} of ${number(total)}`, ""],
    ["failed", number(failures), failures ? "v-failed" : ""],
    ["untouched", number(untouched), ""],
    ...(away.length ? [["away", number(away.length), "v-silent"]] : []),
    ...(undone ? [["undone", number(undone), "v-silent"]] : []),
    ...(Object.keys(undo_failed).length ? [["not undone", number(Object.keys(undo_failed).length), "v-failed"]] : []),
  ];
  return html`<dl class="sums">
    ${cells.map(
      ([words, value, kind]) =>
        html`<div class=${kind}>
          <dt>${words}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Return a column with a bar: the minions of the wave that did not fail, and those that did. */
function column(wave, at) {
  const good = Math.max(0, wave.count - wave.failures);
  const share = (count) => (wave.size ? (100 * Math.min(count, wave.size)) / wave.size : 0);
  return html`<li class=${`wave ${kindOfWave(wave.state)}`}>
    <div class="wave-head">
      <h2>Wave ${at + 1}</h2>
      <span class=${`pill ${kindOfWave(wave.state)}`}>${wave.state}</span>
    </div>
    <p class="wave-count"><b>${number(wave.count)}</b> of ${many(wave.size, "minion")}</p>
    <div class="stacked" aria-hidden="true">
      <span class=${`part ${kindOfWave(wave.state)}`} .style=${`width:${share(good)}%`}></span>
      <span class="part v-failed" .style=${`width:${share(wave.failures)}%`}></span>
    </div>
    ${failures(wave, at)} ${minions(wave, at)}
  </li>`;
}

function failures(wave, at) {
  const all = Object.entries(wave.failed);
  if (!wave.failures) return nothing;
  const shown = cut(all, `${at} failed`);
  return html`<h3>${number(wave.failures)} failed</h3>
    <ul class="wave-failed">
      ${shown.map(([id, why]) => html`<li><a class="mono" href=${place("fleet", [id])}>${id}</a> ${why}</li>`)}
    </ul>
    ${rest(wave.failures - shown.length, `${at} failed`)}`;
}

function minions(wave, at) {
  const good = wave.minions.filter((id) => !(id in wave.failed));
  if (!good.length) return nothing;
  const shown = cut(good, `${at} minions`);
  return html`<h3>Minions</h3>
    <p class="on">${shown.map((id) => html`<a class="mono" href=${place("fleet", [id])}>${id}</a> `)}</p>
    ${rest(wave.count - wave.failures - shown.length, `${at} minions`)}`;
}

const cut = (all, key) => (opened.value.has(key) ? all : all.slice(0, NAMED));

function rest(count, key) {
  if (count <= 0) return nothing;
  if (opened.value.has(key)) return html`<p class="quiet small">and ${number(count)} more</p>`;
  return html`<button class="button small plain" @click=${() => (opened.value = new Set([...opened.value, key]))}>
    ${number(count)} more
  </button>`;
}

function question(one) {
  const close = () => (asksStop.value = false);
  return dialog(
    "Stop this rollout?",
    close,
    html`<p>
        ${many(one.untouched, "minion")} ${one.untouched === 1 ? "stays" : "stay"} as they are. What was reached stays changed, and a
        rollout that was stopped does not go on.
      </p>
      <div class="dialog-actions">
        <button class="button" @click=${close}>Cancel</button>
        <button class="button danger" @click=${() => act("stop")}>Stop</button>
      </div>`,
  );
}
