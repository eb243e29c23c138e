// Icons of 16 units, drawn with the colour of the text around them.

import { html, svg } from "../vendor/lit-html/lit-html.js";

const SHAPES = {
  fleet: svg`<rect x="2" y="2.5" width="12" height="4.5" rx="1"/><rect x="2" y="9" width="12" height="4.5" rx="1"/><path d="M4.7 4.75h.1M4.7 11.25h.1"/>`,
  jobs: svg`<path d="M6 3.5h8M6 8h8M6 12.5h8M2 3.5l.8.8L4 2.8M2 8l.8.8L4 7.3M2 12.5l.8.8L4 11.8"/>`,
  plans: svg`<rect x="3" y="2.8" width="10" height="11.4" rx="1"/><path d="M6 1.8h4v2H6zM5.6 8.8l1.7 1.7 3.1-3.3"/>`,
  rollouts: svg`<path d="M2 13.5h3v-3H2zM6.5 13.5h3V7h-3zM11 13.5h3V3h-3z"/>`,
  drift: svg`<path d="M2 8h4.5M6.5 8l6-4.5M6.5 8l6 4.5M9.5 3h3.5v3M9.5 13H13v-3"/>`,
  history: svg`<path d="M2.6 5.2A6 6 0 1 1 2 8M2.5 2v3.4h3.4M8 4.8V8l2.2 1.4"/>`,
  keys: svg`<circle cx="5" cy="11" r="2.8"/><path d="M7 9l6-6M11 5l2 2M9.4 6.6l1.4 1.4"/>`,
  resources: svg`<path d="M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.6 4.9L8 8l5.4-3.1M8 8v6"/>`,
  schedule: svg`<circle cx="8" cy="8" r="6"/><path d="M8 4.5V8l2.4 1.6"/>`,
  run: svg`<path d="M4.5 2.8l8 5.2-8 5.2z"/>`,
  search: svg`<circle cx="7" cy="7" r="4.5"/><path d="M10.5 10.5L14 14"/>`,
  close: svg`<path d="M3.5 3.5l9 9M12.5 3.5l-9 9"/>`,
  down: svg`<path d="M4 6l4 4 4-4"/>`,
  back: svg`<path d="M10 3.5L5.5 8l4.5 4.5"/>`,
  add: svg`<path d="M8 3v10M3 8h10"/>`,
  stop: svg`<rect x="3.5" y="3.5" width="9" height="9" rx="1"/>`,
  copy: svg`<rect x="5" y="5" width="8.5" height="8.5" rx="1"/><path d="M11 5V2.5H2.5V11H5"/>`,
  theme: svg`<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5v11A5.5 5.5 0 0 0 8 2.5z" fill="currentColor"/>`,
  help: svg`<circle cx="8" cy="8" r="6"/><path d="M6.3 6.3a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.7-.8 1.2M8 11.3h.01"/>`,
  leave: svg`<path d="M6.5 2.5h-4v11h4M7 8h7M11.2 5.2L14 8l-2.8 2.8"/>`,
};

export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${SHAPES[name]}</svg>`;
}

export const logo = html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
  <path class="logo-top" d="M16 4l11 6-11 6-11-6z" />
  <path class="logo-left" d="M5 10l11 6v12L5 22z" />
  <path class="logo-right" d="M27 10l-11 6v12l11-6z" />
</svg>`;
