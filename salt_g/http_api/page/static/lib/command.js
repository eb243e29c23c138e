// Jobs as command lines, and texts of form fields as values.

/** Command line options by target type; glob has none. */
export const TYPES = [
  ["glob", "Glob", "", "web*"],
  ["list", "List", "-L", "web1,web2"],
  ["grain", "Grain", "-G", "os:Debian"],
  ["compound", "Compound", "-C", "G@os:Debian and web*"],
  ["nodegroup", "Node group", "-N", "group"],
  ["pcre", "Regular expression", "-E", "web[0-9]+"],
  ["grain_pcre", "Grain, regular expression", "-P", "os:(Debian|Ubuntu)"],
  ["pillar", "Pillar", "-I", "role:web"],
  ["pillar_pcre", "Pillar, regular expression", "-J", "role:web.*"],
  ["ipcidr", "Address", "-S", "10.1.0.0/16"],
];

const WORDS = { true: true, True: true, false: false, False: false, null: null, None: null };

/** Return the value of a field: numbers, True, None, JSON arrays and objects; everything else is text. */
export function valueOf(text) {
  const trimmed = text.trim();
  if (Object.hasOwn(WORDS, trimmed)) return WORDS[trimmed];
  if (/^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (/^['"].*['"]$/.test(trimmed) && trimmed[0] === trimmed.at(-1) && trimmed.length > 1)
    return trimmed.slice(1, -1);
  if (/^[[{]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed);
    } catch {
      return text;
    }
  }
  return text;
}

/** Return a value as the text of a field, from which `valueOf` returns the value. */
export function fieldOf(value) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (typeof value === "string")
    return valueOf(value) === value && !/^['"]/.test(value) ? value : `'${value}'`;
  return JSON.stringify(value);
}

/** Return a value as one word of a free text, from which `wordsToArguments` returns the value. */
export function wordOf(value) {
  if (typeof value !== "string" || !/[\s'"[{=]/.test(value)) return fieldOf(value);
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}

/** Return a word, quoted for a POSIX shell if necessary. */
export const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Return the command line of a job {tgt, tgt_type, fun, arg, kwarg}. */
export function commandLine({ tgt, tgt_type: type, fun, arg = [], kwarg = {} }) {
  const option = TYPES.find(([name]) => name === type)?.[2];
  const target = Array.isArray(tgt) ? tgt.join(",") : tgt;
  const named = Object.entries(kwarg).map(([name, value]) => `${name}=${fieldOf(value)}`);
  const words = [target || "TARGET", fun || "FUNCTION", ...arg.map(fieldOf), ...named].map(quoted);
  return ["salt-g", ...(option ? [option] : []), ...words].join(" ");
}

/** Return {arg, kwarg} of the free words of a field: `a 'b c' name=value`. */
export function wordsToArguments(text) {
  const found = { arg: [], kwarg: {} };
  for (const [word] of text.matchAll(/(?:[^\s'"[{]|'[^']*'|"[^"]*"|\[[^\]]*\]|\{[^}]*\})+/g)) {
    const [, name, value] = /^([a-z_]\w*)=(.*)$/is.exec(word) ?? [];
    if (name) found.kwarg[name] = valueOf(value);
    else found.arg.push(valueOf(word));
  }
  return found;
}
