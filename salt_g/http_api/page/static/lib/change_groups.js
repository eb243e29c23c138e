// Groups of changes from /v1: each content with its minions, merged across pages.

/** Return a key that is equal for equal changes of one job; `text` is a digest. */
export const keyOf = (one) => [one.jid, one.name, one.fun, one.cause, one.test, one.text].join("\n");

/** Return the groups of several pages; a change on very many minions continues on the next page. */
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

/** Time periods to choose from (s), with their labels. */
export const PERIODS = [
  [86400, "24 hours"],
  [7 * 86400, "7 days"],
  [30 * 86400, "30 days"],
  [90 * 86400, "90 days"],
  [400 * 86400, "400 days"],
];
