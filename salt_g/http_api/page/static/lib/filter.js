// Filters as words, as /v1/minions takes them: `os:Debian`, `status:'would change'`.

/** Return the words of a filter; a value with spaces is quoted. */
export const wordsOf = (text) => text.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];

export const has = (text, word) => wordsOf(text).includes(word);

/** Return a filter with a word added, or removed if present; other words of the same name are removed. */
export function toggled(text, word) {
  const name = word.slice(0, word.indexOf(":") + 1);
  const rest = wordsOf(text).filter((one) => !one.startsWith(name));
  return (has(text, word) ? rest : [...rest, word]).join(" ");
}

/** Return a filter without the words of a name, such as `status:`. */
export const without = (text, name) =>
  wordsOf(text)
    .filter((one) => !one.startsWith(name))
    .join(" ");
