// Labels for the states of plans, and the values that plans would change.

/** {state of a plan: [class of a verdict, label]}. */
export const STATES = {
  testing: ["running", "testing"],
  waiting: ["would", "waits for approval"],
  ready: ["changed", "ready"],
  applied: ["ok", "applied"],
};

/** Functions from which a plan can be made. */
export const PLANNABLE = /^state\.(apply|highstate|sls|sls_id|top)$/;

/** Return the text of a change as values: a diff as {diff}, JSON as its object. */
export function changesOf(text) {
  if (!text) return {};
  if (/^(---|@@|[-+ ])/.test(text)) return { diff: text };
  try {
    const found = JSON.parse(text);
    return found && typeof found === "object" ? found : { changes: found };
  } catch {
    return { diff: text };
  }
}

/** Return the numbers of lines that a diff adds and removes, null if there is no diff. */
export function sizeOf({ added, removed }) {
  return added === null || added === undefined ? null : { added, removed };
}
