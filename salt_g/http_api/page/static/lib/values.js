// Values from minions as text, and changes of states with coloured diffs. All values become text, never HTML.

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** Maximum length of the text that is shown of one value (characters). */
const LONGEST = 200_000;

/** Return a value in readable form: text unchanged, lists of scalars on one line, the rest indented. */
export function valueText(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null))
    return value.join(", ");
  if (value === null || typeof value !== "object") return String(value);
  return indented(value);
}

function indented(value, depth = 0) {
  const space = "  ".repeat(depth);
  const entries = Array.isArray(value) ? value.map((one) => ["-", one]) : Object.entries(value);
  return entries
    .map(([name, one]) => {
      const label = name === "-" ? "-" : `${name}:`;
      const isTree = one !== null && typeof one === "object" && Object.keys(one).length > 0;
      if (isTree && !(Array.isArray(one) && one.every((each) => typeof each !== "object"))) {
        return `${space}${label}\n${indented(one, depth + 1)}`;
      }
      const text =
        one !== null && typeof one === "object" ? (Array.isArray(one) ? one.join(", ") : "{}") : String(one);
      return `${space}${label} ${text.includes("\n") ? `\n${text.replace(/^/gm, `${space}  `)}` : text}`;
    })
    .join("\n");
}

export function block(value) {
  const text = valueText(value);
  const cut =
    text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters` : text;
  return html`<pre tabindex="0">${cut}</pre>`;
}

/** Return the changes of a state: a diff in colours, other changes as before and after. */
export function changes(found) {
  if (!found || typeof found !== "object" || !Object.keys(found).length) return nothing;
  const { diff, ...rest } = found;
  return html`${typeof diff === "string" ? diffBlock(diff) : nothing}${
    Object.keys(typeof diff === "string" ? rest : found).length
      ? pairs(typeof diff === "string" ? rest : found)
      : nothing
  }`;
}

function pairs(found) {
  const isPair = (one) => one && typeof one === "object" && ("old" in one || "new" in one);
  if (!Object.values(found).every(isPair)) return block(found);
  return html`<table class="pairs">
    <thead>
      <tr>
        <th scope="col">What</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(found).map(
        ([name, one]) =>
          html`<tr>
            <th scope="row" class="mono">${name}</th>
            <td class="mono del">${valueText(one.old ?? "")}</td>
            <td class="mono add">${valueText(one.new ?? "")}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Return a unified diff in colours; added and removed lines keep their signs. */
export function diffBlock(text) {
  const lines = text.slice(0, LONGEST).replace(/\n$/, "").split("\n");
  return html`<pre class="diff" tabindex="0">
${lines.map((line) => html`<span class=${kindOfLine(line)}>${line || " "}</span>`)}</pre>`;
}

function kindOfLine(line) {
  if (/^(\+\+\+|---|@@)/.test(line)) return "hunk";
  return { "+": "add", "-": "del" }[line[0]] ?? "";
}
