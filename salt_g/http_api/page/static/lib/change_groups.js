// Groups of changes as /v1 tells them: one content with its minions, merged over pages.

/** What is the same change of one job; the text is a digest. */
export const keyOf = (one) => [one.jid, one.name, one.fun, one.cause, one.test, one.text].join("\n");

/** Return the groups of several pages; a change of very many minions goes on in the next one. */
export function merged(pages) {
  const found = new Map();
  for (const one of pages.flat()) {
    const key = keyOf(one);
    const known = found.get(key);
    if (known) {
      known.minions = [...known.minions, ...one.minions];
      known.count += one.count;
    } else found.set(key, { ...one });
  }
  return [...found.values()];
}

/** Return groups with `day` set where another day begins, for a list that is read from top to bottom. */
export function withDays(groups, dayOf) {
  let last = "";
  return groups.map((one) => {
    const day = dayOf(one.at * 1000);
    const isNew = day !== last;
    last = day;
    return { ...one, day: isNew ? day : "" };
  });
}

/** Periods of time (s) that can be chosen, with their words. */
export const PERIODS = [
  [86400, "24 hours"],
  [7 * 86400, "7 days"],
  [30 * 86400, "30 days"],
  [90 * 86400, "90 days"],
  [400 * 86400, "400 days"],
];
