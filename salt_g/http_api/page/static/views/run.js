// Run: a target with its live count, a function with its arguments, and the same as a command line.

import { computed, signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live as liveValue } from "../vendor/lit-html/directives/live.js";
import { get, post } from "../lib/api.js";
import { commandLine, fieldOf, TYPES, valueOf, wordOf, wordsToArguments } from "../lib/command.js";
import { many, number } from "../lib/format.js";
import { functionsLike } from "../lib/functions.js";
import { icon } from "../lib/icons.js";
import { afterPause } from "../lib/live.js";
import { sentence, trouble } from "../lib/loading.js";
import { PLANNABLE } from "../lib/plans.js";
import { draft, go } from "../lib/store.js";
import { copy } from "./invite.js";

/** Maximum number of ids and of reasons shown. */
const MOST_IDS = 60;
const MOST_WHY = 8;
const MOST_NAMES = 12;
/** Functions that accept test=True, which shows what would change. */
const TESTABLE = /^state\.(apply|highstate|sls|sls_id|single|low|high|template|template_str|top)$/;

const tgt = signal("*");
const type = signal("glob");
const fun = signal("");
const values = signal({});
const more = signal("");
const isTest = signal(false);
const explained = signal(null);
const whyProblem = signal(null);
const names = signal([]);
const chosen = signal(-1);
const isListOpen = signal(false);
const spec = signal(null);
const problem = signal(null);
const isBusy = signal(false);

/** Return the job as the body of POST /v1/jobs. */
const job = computed(() => {
  const free = wordsToArguments(more.value);
  const { arg, kwarg } = fieldsToArguments(free.arg.length > 0);
  if (isTest.value && TESTABLE.test(fun.value)) kwarg.test = true;
  return {
    tgt: tgt.value.trim(),
    tgt_type: type.value,
    fun: fun.value.trim(),
    arg: [...arg, ...free.arg],
    kwarg: { ...kwarg, ...free.kwarg },
  };
});

/** Pass fields before the first empty one by position, others (and all, with free words) by name. */
function fieldsToArguments(hasFreeWords) {
  const found = { arg: [], kwarg: {} };
  let isNamed = hasFreeWords;
  for (const { name } of spec.value?.arguments ?? []) {
    const text = values.value[name] ?? "";
    if (text === "") isNamed = true;
    else if (isNamed) found.kwarg[name] = valueOf(text);
    else found.arg.push(valueOf(text));
  }
  return found;
}

export const title = () => "Run";

export function open() {
  const wanted = draft.peek();
  if (wanted) take(wanted);
  draft.value = null;
  explain();
  if (fun.value) describe();
}

export function close() {
  isListOpen.value = false;
}

function take(wanted) {
  if (wanted.tgt !== undefined) tgt.value = wanted.tgt;
  if (wanted.tgt_type) type.value = wanted.tgt_type;
  if (wanted.fun) fun.value = wanted.fun;
  if (wanted.arg) {
    const free = wanted.arg.filter((one) => !one?.__kwarg__).map(wordOf);
    const { __kwarg__, test, ...named } = wanted.arg.find((one) => one?.__kwarg__) ?? {};
    isTest.value = test === true;
    more.value = [...free, ...Object.entries(named).map(([name, value]) => `${name}=${wordOf(value)}`)].join(
      " ",
    );
    values.value = {};
  } else if (wanted.fun) {
    more.value = "";
    values.value = {};
  }
  problem.value = null;
}

let turn = 0;

async function explain() {
  const mine = (turn += 1);
  const query = {
    tgt: type.value === "list" ? tgt.value.replace(/\s+/g, "") : tgt.value.trim(),
    tgt_type: type.value,
  };
  if (!query.tgt) {
    explained.value = { count: 0, ids: [], more: 0, why: {} };
    return;
  }
  try {
    const reply = await get("v1/targets/explain", { ...query, why: query.tgt.length < 900 ? "true" : "" });
    if (mine === turn) [explained.value, whyProblem.value] = [reply, null];
  } catch (refused) {
    if (mine === turn) [explained.value, whyProblem.value] = [null, refused];
  }
}

const explainSoon = afterPause(300, explain);

function targetTyped(event) {
  tgt.value = event.target.value;
  explainSoon();
}

function typeChosen(event) {
  type.value = event.target.value;
  explain();
}

const complete = afterPause(180, async () => {
  const word = fun.value.trim();
  const found = await functionsLike(word, explained.value?.ids[0]).catch(() => []);
  if (word !== fun.value.trim()) return;
  names.value = found.slice(0, MOST_NAMES);
  chosen.value = -1;
  spec.value = found.find((one) => one.name === word) ?? null;
});

function functionTyped(event) {
  fun.value = event.target.value;
  spec.value = null;
  isListOpen.value = true;
  complete();
}

async function describe() {
  const word = fun.value.trim();
  const found = await functionsLike(word, explained.value?.ids[0]).catch(() => []);
  if (word === fun.value.trim()) spec.value = found.find((one) => one.name === word) ?? null;
}

function choose(one) {
  fun.value = one.name;
  spec.value = one;
  values.value = {};
  isListOpen.value = false;
}

function pressed(event) {
  const found = names.value;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && found.length) {
    event.preventDefault();
    isListOpen.value = true;
    chosen.value = (chosen.value + step + found.length) % found.length;
  } else if (event.key === "Enter" && isListOpen.value && found[chosen.value]) {
    event.preventDefault();
    choose(found[chosen.value]);
  } else if (event.key === "Escape" && isListOpen.value) {
    event.preventDefault();
    isListOpen.value = false;
  }
}

/** Start the job, or save a test run as a plan. */
async function submit(event) {
  event.preventDefault();
  const isPlan = event.submitter?.value === "plan";
  const wanted = job.value;
  const target =
    wanted.tgt_type === "list"
      ? wanted.tgt
          .split(",")
          .map((id) => id.trim())
          .filter(Boolean)
      : wanted.tgt;
  isBusy.value = true;
  problem.value = null;
  try {
    const key = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    if (isPlan) {
      const { id } = await post("v1/plans", { ...wanted, tgt: target });
      go("plans", [id]);
    } else {
      const reply = await post("v1/jobs", { ...wanted, tgt: target }, { "Idempotency-Key": key });
      go("jobs", [reply.jid]);
    }
  } catch (refused) {
    problem.value = refused;
  }
  isBusy.value = false;
}

export function view() {
  return html`<div class="view run">
    <div class="view-main">
      <div class="view-head"><h1 tabindex="-1">Run</h1></div>
      <form class="run-form" @submit=${submit}>
        <div class="run-fields panel">
          ${target()} ${functionField()} ${argumentFields()} ${problem.value ? refusal() : nothing}
          <label class="command-label" for="command">On the command line</label>
          <div class="command-line">
            <pre id="command" class="command" tabindex="0">${commandLine(job.value)}</pre>
            <button
              type="button"
              class="icon-button"
              aria-label="Copy the command"
              title="Copy"
              @click=${() => copy(commandLine(job.value))}
            >
              ${icon("copy")}
            </button>
          </div>
          <button
            class="button primary wide"
            ?disabled=${isBusy.value || !explained.value?.count || !fun.value.trim()}
          >
            ${icon("run")}${label()}
          </button>
          ${isTest.value && PLANNABLE.test(fun.value) ? planButton() : nothing}
        </div>
        ${meant()}
      </form>
    </div>
  </div>`;
}

/** Offer to save a test run as a plan, so that people read it and exactly that is applied. */
function planButton() {
  return html`<button
      class="button wide plan-button"
      value="plan"
      ?disabled=${isBusy.value || !explained.value?.count}
    >
      ${icon("plans")}Keep as a plan
    </button>
    <p class="hint">People read the plan, and then exactly that is applied.</p>`;
}

function label() {
  if (isBusy.value) return "Starting…";
  const count = explained.value?.count ?? 0;
  const verb = isTest.value && TESTABLE.test(fun.value) ? "Try" : "Run";
  return count ? `${verb} on ${many(count, "minion")}` : verb;
}

function refusal() {
  return html`<p class="alert" role="alert">
    ${sentence(problem.value.detail)} ${sentence(problem.value.hint)}
  </p>`;
}

function target() {
  const example = TYPES.find(([name]) => name === type.value)?.[3] ?? "";
  return html`<label for="tgt">Target</label>
    <div class="target-line">
      <select aria-label="Type of the target" @change=${typeChosen}>
        ${TYPES.map(
          ([name, text]) => html`<option value=${name} .selected=${name === type.value}>${text}</option>`,
        )}
      </select>
      <input
        id="tgt"
        class="mono"
        required
        spellcheck="false"
        autocapitalize="none"
        autocomplete="off"
        placeholder=${example}
        .value=${liveValue(tgt.value)}
        @input=${targetTyped}
      />
    </div>`;
}

function functionField() {
  const isShown =
    isListOpen.value &&
    names.value.length > 0 &&
    !(names.value.length === 1 && names.value[0].name === fun.value);
  return html`<label for="fun">Function</label>
    <div class="combo">
      <input
        id="fun"
        class="mono"
        required
        spellcheck="false"
        autocapitalize="none"
        autocomplete="off"
        placeholder="state.apply"
        role="combobox"
        aria-expanded=${isShown}
        aria-controls="names"
        aria-autocomplete="list"
        aria-activedescendant=${isShown && chosen.value >= 0 ? `name-${chosen.value}` : nothing}
        .value=${liveValue(fun.value)}
        @input=${functionTyped}
        @keydown=${pressed}
        @blur=${() => setTimeout(() => (isListOpen.value = false), 150)}
      />
      <div id="names" class="names" role="listbox" aria-label="Functions" ?hidden=${!isShown}>
        ${names.value.map(
          (one, place) =>
            html`<div
              id=${`name-${place}`}
              class="found"
              role="option"
              aria-selected=${place === chosen.value}
              @mousedown=${(event) => event.preventDefault()}
              @click=${() => choose(one)}
            >
              <span class="mono">${one.name}</span><span class="quiet small">${firstSentence(one.doc)}</span>
            </div>`,
        )}
      </div>
    </div>
    ${spec.value?.doc ? doc(spec.value.doc) : nothing}`;
}

const firstSentence = (text) => text.split("\n", 1)[0].slice(0, 90);

function doc(text) {
  const [first, ...rest] = text.trim().split("\n");
  if (!rest.join("").trim()) return html`<p class="hint doc">${first}</p>`;
  return html`<details class="doc">
    <summary class="hint">${first}</summary>
    <pre tabindex="0">${rest.join("\n").replace(/^ {4}/gm, "").trim()}</pre>
  </details>`;
}

function argumentFields() {
  const one = spec.value;
  const isFree = !one || one.takes_more || one.takes_any;
  return html`${
    TESTABLE.test(fun.value)
      ? html`<label class="option test"
          ><input
            type="checkbox"
            .checked=${isTest.value}
            @change=${(event) => (isTest.value = event.target.checked)}
          />
          Change nothing, show what would change</label
        >`
      : nothing
  }
  ${one?.arguments.length ? html`<div class="arguments">${one.arguments.map(argumentField)}</div>` : nothing}
  ${
    isFree || more.value
      ? html`<label for="more">${one?.arguments.length ? "More arguments" : "Arguments"}</label>
          <input
            id="more"
            class="mono"
            spellcheck="false"
            autocapitalize="none"
            autocomplete="off"
            placeholder="value name=value"
            .value=${liveValue(more.value)}
            @input=${(event) => (more.value = event.target.value)}
          />`
      : nothing
  }`;
}

function argumentField({ name, required, default: otherwise }) {
  return html`<div>
    <label for=${`arg-${name}`}
      >${name}${required ? html`<span class="quiet"> needed</span>` : nothing}</label
    >
    <input
      id=${`arg-${name}`}
      class="mono"
      spellcheck="false"
      autocapitalize="none"
      autocomplete="off"
      ?required=${required && !more.value}
      placeholder=${required ? "" : fieldOf(otherwise)}
      .value=${liveValue(values.value[name] ?? "")}
      @input=${(event) => (values.value = { ...values.value, [name]: event.target.value })}
    />
  </div>`;
}

function meant() {
  const reply = explained.value;
  return html`<section class="meant panel" aria-label="Minions meant" aria-live="polite">
    ${whyProblem.value ? trouble(whyProblem.value, explain) : nothing}
    ${!reply && !whyProblem.value ? html`<p class="quiet">Counting…</p>` : nothing}
    ${reply ? found(reply) : nothing}
  </section>`;
}

function found(reply) {
  if (!reply.count)
    return html`<p class="big">No minion</p>
      <p class="quiet">Nothing matches this target.</p>
      ${reasons(reply)}`;
  return html`<p class="big">${many(reply.count, "minion")}</p>
    <p class="ids mono">
      ${reply.ids.slice(0, MOST_IDS).map((id) => html`<span>${id}</span> `)}${
        reply.count > MOST_IDS
          ? html`<span class="quiet">and ${number(reply.count - MOST_IDS)} more</span>`
          : nothing
      }
    </p>
    ${reasons(reply)}`;
}

/** Return why minions match or do not match; nothing for users who may not ask that. */
function reasons({ why }) {
  const found = Object.entries(why).slice(0, MOST_WHY);
  if (!found.length) return nothing;
  return html`<h2 class="why-title">Why</h2>
    <dl class="why">
      ${found.map(
        ([id, one]) =>
          html`<div>
            <dt class="mono">${id}</dt>
            <dd>
              ${one.matched ? html`<span class="count v-ok">meant</span>` : html`<span class="count v-none">not meant</span>`}
              ${one.terms.map(
                (term) =>
                  html`<span class="term"
                    ><code>${term.term}</code> ${term.matched ? "fits" : "does not fit"}
                    ${term.compared ?? ""}
                    ${"value" in term ? html`<code>${shortened(term.value)}</code>` : nothing}</span
                  >`,
              )}
              ${one.note ? html`<span class="quiet">${one.note}</span>` : nothing}
            </dd>
          </div>`,
      )}
    </dl>`;
}

function shortened(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
