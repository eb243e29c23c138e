// Plans as /v1 tells them, in words; and the values of what they would change.

/** States of plans: {state: [class of a verdict, words]}. */
export const STATES = {
  testing: ["running", "testing"],
  waiting: ["would", "waits for approval"],
  ready: ["changed", "ready"],
  applied: ["ok", "applied"],
};

/** Functions of which plans are made. */
export const PLANNABLE = /^state\.(apply|highstate|sls|sls_id|top)$/;

/** Return the text of a change as values: a diff as it is, JSON as its map. */
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

/** Return the lines of a diff that were added and removed, null for what is no diff. */
export function sizeOf({ added, removed }) {
  return added === null || added === undefined ? null : { added, removed };
}
