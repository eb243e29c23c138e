// Words, times and numbers as people read them.

import { html } from "../vendor/lit-html/lit-html.js";
import { clock } from "./store.js";

/** Verdicts on minions and states, the worst first, with their words. */
export const WORDS = {
  failed: "failed",
  silent: "silent",
  waiting: "waiting",
  running: "running",
  "would change": "would change",
  changed: "changed",
  ok: "ok",
  skipped: "skipped",
  none: "no run",
  away: "away",
};
export const ORDER = Object.keys(WORDS);

/** Return the class of a verdict. */
export const kindOf = (verdict) => `v-${verdict.replace(" ", "-")}`;

/** Return a verdict as a coloured word. */
export function pill(verdict, text = WORDS[verdict] ?? verdict) {
  return html`<span class="pill ${kindOf(verdict)}">${text}</span>`;
}

/** Return counts as words, the worst first: 2 failed, 12 ok. */
export function counts(numbers) {
  return ORDER.filter((verdict) => numbers?.[verdict]).map(
    (verdict) =>
      html`<span class="count ${kindOf(verdict)}">${number(numbers[verdict])} ${WORDS[verdict]}</span>`,
  );
}

export const number = (value) => Number(value).toLocaleString("en");
export const many = (count, one, more = `${one}s`) => `${number(count)} ${count === 1 ? one : more}`;

/** Return the time in a job id (ms), NaN if the id contains none; ids are in UTC. */
export function momentOf(jid) {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(jid) ?? [];
  return year ? Date.UTC(year, month - 1, day, hour, minute, second) : NaN;
}

const STEPS = [
  [60, 1, "s"],
  [3600, 60, "min"],
  [86400, 3600, "h"],
  [86400 * 60, 86400, "d"],
  [Infinity, 86400 * 30, "mo"],
];

/** Return a time (ms) as an age, with the date as its title. */
export function ago(moment) {
  if (!moment || Number.isNaN(moment)) return html`<span class="quiet">–</span>`;
  const seconds = Math.max(0, (clock.value - moment) / 1000);
  const [, unit, name] = STEPS.find(([limit]) => seconds < limit);
  const text = seconds < 10 ? "just now" : `${Math.floor(seconds / unit)} ${name} ago`;
  return html`<time datetime=${new Date(moment).toISOString()} title=${date(moment)}>${text}</time>`;
}

export const date = (moment) =>
  new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Return a duration (ms) as text. */
export function duration(ms) {
  if (ms < 1) return "< 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Return a target as written on a command line. */
export const targetText = (tgt) =>
  Array.isArray(tgt) ? tgt.join(", ") : typeof tgt === "string" ? tgt : JSON.stringify(tgt);

/** Return the arguments of a job as written on a command line. */
export function argumentText(args) {
  return (args ?? []).map(argument).filter(Boolean).join(" ");
}

function argument(value) {
  if (value && typeof value === "object" && value.__kwarg__) {
    const named = Object.entries(value).filter(([name]) => name !== "__kwarg__");
    return named.map(([name, one]) => `${name}=${word(one)}`).join(" ");
  }
  return word(value);
}

function word(value) {
  if (value === true) return "True";
  if (value === false) return "False";
  return typeof value === "string" ? value : JSON.stringify(value);
}
