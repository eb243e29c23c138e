// Tables of any length: the page contains 40 rows, or more on a tall screen; the rest is empty space.

import { computed, signal } from "../vendor/signals-core/signals-core.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { offer } from "./keyboard.js";

/** Minimum number of rows in the page, and number of rows above the visible ones. */
const ROWS = 40;
const ABOVE = 8;
/** Row heights on wide and on narrow screens, as in the style sheet (px). */
const WIDE = 36;
const NARROW = 62;

const narrow = matchMedia("(max-width: 720px)");
const isNarrow = signal(narrow.matches);

/** Window of the current table, for when the screen is resized or turned. */
let shownWindow = null;

function look() {
  isNarrow.value = narrow.matches;
  requestAnimationFrame(() => {
    const box = document.querySelector(".scroll");
    if (box) shownWindow?.scrolled(box);
  });
}

narrow.addEventListener("change", look);
addEventListener("resize", look);
/** Part of a table that is in the page, and the row of the keyboard cursor. */
export class RowWindow {
  /** `narrow` is the row height on a narrow screen, as in the style sheet (px). */
  constructor(narrow = NARROW) {
    this.height = computed(() => (isNarrow.value ? narrow : WIDE));
    this.first = signal(0);
    this.seen = signal(ROWS);
    this.cursor = signal(-1);
  }

  /** Return the range [first, end) of the rows in the page. */
  range(count) {
    const size = Math.max(ROWS, this.seen.value + 2 * ABOVE);
    const first = Math.max(0, Math.min(this.first.value - ABOVE, count - size));
    return [first, Math.min(count, first + size)];
  }

  reset() {
    this.first.value = 0;
    this.cursor.value = -1;
    document.querySelector(".scroll")?.scrollTo(0, 0);
  }

  scrolled(element) {
    this.first.value = Math.floor(element.scrollTop / this.height.value);
    this.seen.value = Math.ceil(element.clientHeight / this.height.value);
  }

  /** Move the keyboard cursor, and scroll its row into view. */
  move(step, count) {
    if (!count) return;
    this.cursor.value = Math.max(0, Math.min(count - 1, this.cursor.value + step));
    const box = document.querySelector(".scroll");
    const top = this.cursor.value * this.height.value;
    const head = box.querySelector("thead")?.offsetHeight ?? 0;
    if (top < box.scrollTop) box.scrollTop = top;
    const room = box.clientHeight - head - this.height.value;
    if (top > box.scrollTop + room) box.scrollTop = top - room;
    this.scrolled(box);
    requestAnimationFrame(() => box.querySelector("tr.cursor a, tr.cursor button")?.focus());
  }
}

/**
 * Return a table. Columns are {name, title, cell(row), kind, sort}; `rowAt(i)` returns a row, or undefined for one
 * that has not arrived yet; `selection` is {has(row), toggle(row), isAll, toggleAll(), title(row)}.
 */
export function table(shown) {
  const { window: rows, label, columns, count, rowAt, selection, open } = shown;
  shownWindow = rows;
  const [first, end] = rows.range(count);
  const numbers = Array.from({ length: end - first }, (_, place) => first + place);
  offer({
    move: (step) => rows.move(step, count),
    select: selection && (() => pick(shown, rows.cursor.value)),
    open: open && (() => rowAt(rows.cursor.value) && open(rowAt(rows.cursor.value))),
    close: shown.close,
  });
  return html`<div
    class="scroll"
    tabindex="0"
    role="region"
    aria-label=${label}
    @scroll=${(event) => rows.scrolled(event.currentTarget)}
  >
    <table class="rows" aria-rowcount=${count + 1} aria-label=${label}>
      <thead>
        <tr>
          ${selection ? checkAll(selection) : nothing}${columns.map((column) => head(column, shown))}
        </tr>
      </thead>
      <tbody>
        ${space(first, rows.height.value)}
        ${repeat(
          numbers,
          (place) => place,
          (place) => line(shown, place),
        )}
        ${space(count - end, rows.height.value)}
      </tbody>
    </table>
  </div>`;
}

/** Return the space of rows outside the page; no colspan, because narrow tables have fewer columns. */
function space(rows, height) {
  if (rows <= 0) return nothing;
  return html`<tr class="space" aria-hidden="true">
    <td .style=${`height:${rows * height}px`}></td>
  </tr>`;
}

function checkAll(selection) {
  return html`<th class="check">
    <input
      type="checkbox"
      aria-label="Select all"
      .checked=${selection.isAll}
      @change=${() => selection.toggleAll()}
    />
  </th>`;
}

function head(column, { sort, sortBy }) {
  if (!column.sort || !sortBy) return html`<th scope="col" class=${column.kind ?? ""}>${column.title}</th>`;
  const order = sort === column.sort ? "ascending" : sort === `-${column.sort}` ? "descending" : "none";
  const next = order === "ascending" ? `-${column.sort}` : column.sort;
  return html`<th scope="col" class=${column.kind ?? ""} aria-sort=${order}>
    <button class="sort" @click=${() => sortBy(next)}>
      ${column.title}<span class="arrow" aria-hidden="true"
        >${{ ascending: "↑", descending: "↓", none: "" }[order]}</span
      >
    </button>
  </th>`;
}

function line(shown, place) {
  const row = shown.rowAt(place);
  const isHere = shown.window.cursor.value === place;
  if (row === undefined) {
    return html`<tr class="row missing" aria-rowindex=${place + 2}>
      <td><span class="bone"></span></td>
    </tr>`;
  }
  const { selection, columns, open } = shown;
  const isPicked = Boolean(selection?.has(row));
  const classes = `row ${isHere ? "cursor" : ""} ${isPicked ? "picked" : ""} ${shown.current?.(row) ? "current" : ""}`;
  return html`<tr
    class=${classes}
    aria-rowindex=${place + 2}
    @click=${(event) => clicked(event, shown, place, open)}
  >
    ${
      selection
        ? html`<td class="check">
            <input
              type="checkbox"
              .checked=${isPicked}
              aria-label=${`Select ${selection.title(row)}`}
              @change=${() => pick(shown, place)}
            />
          </td>`
        : nothing
    }${columns.map((column) => html`<td class=${column.kind ?? ""}>${column.cell(row)}</td>`)}
  </tr>`;
}

function clicked(event, shown, place, open) {
  if (event.target.closest("a, button, input, label")) return;
  shown.window.cursor.value = place;
  const row = shown.rowAt(place);
  // Selecting text is not a click.
  if (open && row !== undefined && !String(getSelection())) open(row);
}

function pick(shown, place) {
  const row = shown.rowAt(place);
  if (row === undefined) return;
  shown.window.cursor.value = place;
  shown.selection.toggle(row);
}
