// One job as lines: a minion, or several with equal results, each with the cells of its states.
//
// Shapes: a line is {ids, verdict, cells, total, done, current, states, value, key}; a cell is {id, fun, place, verdict,
// ms}; a state is {fun, id, name, sls, verdict, changes, comment, ms, place}. Verdicts are those of /v1; lines may also
// be `running` (steps have arrived) or `waiting` (nothing has arrived yet), and cells `skipped`.

import { ORDER } from "./format.js";

/** {verdict of a live step: verdict of /v1}, where they differ. */
const STEP_VERDICTS = { would: "would change" };

export class JobModel {
  constructor() {
    this.minions = new Map();
    this.places = new Map();
    this.lines = null;
  }

  /** Add the expected ids. */
  expect(ids) {
    for (const id of ids) this.minion(id);
  }

  minion(id) {
    let found = this.minions.get(id);
    if (!found)
      this.minions.set(
        id,
        (found = { id, verdict: "waiting", cells: [], done: 0, total: 0, lost: 0, current: null }),
      );
    this.lines = null;
    return found;
  }

  /** Add a live step event. */
  step(id, event) {
    if (!Array.isArray(event?.done)) return;
    const found = this.minion(id);
    for (const step of event.done) this.places.set(placeKey(step), step.place);
    if (found.hasReturned) {
      this.locate(found.states);
      return;
    }
    found.verdict = "running";
    found.total = Math.max(found.total, event.total || 0);
    found.current = event.now ? { ...event.now, heard: Date.now() } : null;
    for (const step of event.done) {
      // The first events may arrive twice, so each cell is stored under its number.
      found.cells[step.n - 1] = { ...step, verdict: STEP_VERDICTS[step.verdict] ?? step.verdict };
    }
    found.done = found.cells.filter(Boolean).length;
  }

  /** Add a return from an event or from /v1. */
  returned({ id, return: value, retcode, success }) {
    const found = this.minion(id);
    const isBad = success === false || Boolean(retcode);
    const states = statesOf(value);
    Object.assign(found, {
      hasReturned: true,
      current: null,
      value,
      retcode,
      states,
      done: states?.length ?? 0,
    });
    if (states) {
      found.cells = states;
      found.total = states.length;
      this.locate(states);
      found.verdict = worst([...states.map((state) => state.verdict), isBad ? "failed" : "ok"]);
    } else {
      found.verdict = isBad ? "failed" : "ok";
    }
    found.key = keyOf(found);
  }

  /** Set the files of states: only steps contain them, and steps may arrive after the return. */
  locate(states) {
    for (const state of states ?? []) state.place = this.places.get(placeKey(state)) ?? "";
  }

  /** Return all lines, the worst first; equal results share one line. */
  all() {
    this.lines ??= folded([...this.minions.values()]);
    return this.lines;
  }

  counts() {
    const found = {};
    for (const { verdict } of this.minions.values()) found[verdict] = (found[verdict] ?? 0) + 1;
    return found;
  }

  get missing() {
    return [...this.minions.values()].filter((one) => !one.hasReturned).map((one) => one.id);
  }
}

const placeKey = ({ fun, id }) => `${fun} ${id}`;

const worst = (verdicts) =>
  verdicts.reduce(
    (one, other) => (ORDER.indexOf(other) < ORDER.indexOf(one) && other !== "skipped" ? other : one),
    "ok",
  );

/** Return the states of a state run in their order, null for any other return. */
export function statesOf(value) {
  if (!value || typeof value !== "object" || Array.isArray(value)) return null;
  const found = Object.entries(value);
  if (!found.length || !found.every(([tag, one]) => tag.split("_|-").length === 4 && one && "result" in one))
    return null;
  return found.map(([tag, one]) => state(tag.split("_|-"), one)).sort((one, other) => one.n - other.n);
}

function state([room, id, name, fun], one) {
  return {
    n: one.__run_num__ ?? 0,
    fun: `${room}.${fun}`,
    id: one.__id__ ?? id,
    name: one.name ?? name,
    sls: one.__sls__ ?? "",
    verdict: verdictOf(one),
    changes: one.changes ?? {},
    comment: [one.comment ?? ""].flat().join("\n"),
    ms: Number.parseFloat(one.duration) || 0,
  };
}

function verdictOf(one) {
  if (one.result === false) return "failed";
  if (one.result === null) return "would change";
  if (one.changes && Object.keys(one.changes).length) return "changed";
  return one.__state_ran__ === false ? "skipped" : "ok";
}

/** Return a key that equal results share; the minion's own id in a path or text makes no difference. */
function keyOf({ id, states, value, retcode }) {
  const shared = states
    ? states.map((one) => [
        one.fun,
        one.id,
        one.verdict,
        one.changes,
        one.verdict === "failed" ? one.comment : "",
      ])
    : [value ?? null, retcode];
  return JSON.stringify(shared).replaceAll(id, "\u0000");
}

function folded(minions) {
  const groups = new Map();
  for (const one of minions) {
    const key = one.hasReturned ? one.key : `\u0001${one.id}`;
    const group = groups.get(key);
    if (group) group.ids.push(one.id);
    else groups.set(key, { ...one, ids: [one.id] });
  }
  return [...groups.values()].sort(
    (one, other) =>
      ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict) ||
      other.ids.length - one.ids.length ||
      one.ids[0].localeCompare(other.ids[0], "en", { numeric: true }),
  );
}
