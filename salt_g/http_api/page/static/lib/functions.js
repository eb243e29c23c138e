// Functions of minions with their arguments, from sys.argspec and sys.doc; requested once for each prefix.

import { get } from "./api.js";

/** {`id prefix`: promise of {items, isWhole}}. */
const known = new Map();
let speaker = "";

/** Return functions whose names begin with a word, of a given minion or of any connected one. */
export async function functionsLike(word, id = "") {
  const on = id || (await someMinion());
  if (!on || !word) return [];
  const beginning = word.slice(0, Math.max(2, word.indexOf(".") + 1));
  const first = await asked(on, beginning);
  const { items } = first.isWhole ? first : await asked(on, word);
  return items.filter((one) => one.name.startsWith(word));
}

function asked(on, q) {
  const name = `${on} ${q}`;
  if (!known.has(name)) {
    const answer = get("v1/functions", { on, q }).then(({ items, total }) => ({
      items,
      isWhole: items.length === total,
    }));
    known.set(name, answer);
    // A failed request may be repeated.
    answer.catch(() => known.delete(name));
  }
  return known.get(name);
}

async function someMinion() {
  if (!speaker) {
    const reply = await get("v1/minions", { filter: "connected:true", limit: 1, fields: "id" });
    speaker = reply.items[0]?.id ?? "";
  }
  return speaker;
}
