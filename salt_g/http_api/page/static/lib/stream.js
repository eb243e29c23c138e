// Server-sent events, read with fetch, which (unlike EventSource) sees comments, so that silence is noticed.
//
// Shapes: an event is {tag, data, name}; `name` is "gap" where events are missing. States: live, late, lost.

import { refusal } from "./api.js";

/** Silence after which the stream is late (ms); the server sends a heartbeat every 15 s. */
const LATE_AFTER = 22_000;
/** Minimum and maximum pause before a new attempt (ms). */
const PAUSE = 500;
const LONGEST = 15_000;
/** Time after which a hidden tab closes its connection (ms): browsers have six for all tabs. */
const HIDDEN_FOR = 60_000;

export class Stream {
  /** `onEvents` receives lists of events, `onState` the state; `onLost` is called when events may be missing. */
  constructor(address, { onEvents, onState = () => {}, onLost = () => {} }) {
    Object.assign(this, { address, onEvents, onState, onLost, id: "", pause: PAUSE, isOver: false });
    this.watch = () => this.look();
    document.addEventListener("visibilitychange", this.watch);
    this.run();
  }

  close() {
    this.isOver = true;
    clearTimeout(this.hiding);
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.watch);
    this.control?.abort();
  }

  look() {
    clearTimeout(this.hiding);
    if (document.hidden) {
      this.hiding = setTimeout(() => {
        this.isAsleep = true;
        this.control?.abort();
      }, HIDDEN_FOR);
    } else if (this.isAsleep) {
      this.isAsleep = false;
      this.wake?.();
    }
  }

  async run() {
    while (!this.isOver) {
      try {
        await this.read();
      } catch (error) {
        if (this.isOver) return;
        if (error.status >= 400 && error.status < 500 && error.status !== 429) return this.onState("lost");
      }
      if (this.isOver) return;
      if (this.isAsleep) await new Promise((resolve) => (this.wake = resolve));
      else {
        this.onState("lost");
        await new Promise((resolve) => setTimeout(resolve, this.pause));
        this.pause = Math.min(LONGEST, this.pause * 2);
      }
    }
  }

  async read() {
    this.control = new AbortController();
    const headers = { Accept: "text/event-stream", ...(this.id && { "Last-Event-ID": this.id }) };
    const response = await fetch(this.address, { headers, signal: this.control.signal });
    if (!response.ok) throw await refusal(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    this.pause = PAUSE;
    this.alive();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.alive();
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      this.take(parts.map(parse).filter(Boolean));
    }
  }

  take(events) {
    for (const event of events) if (event.id) this.id = event.id;
    if (events.some((event) => event.name === "gap")) this.onLost();
    const tagged = events.filter((event) => event.tag);
    if (tagged.length) this.onEvents(tagged);
  }

  alive() {
    this.onState("live");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onState("late"), LATE_AFTER);
  }
}

/** Return the event in a block of lines, null for a comment or malformed data. */
export function parse(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
  }
  if (fields.data === undefined) return null;
  try {
    return { tag: fields.tag, id: fields.id, name: fields.event, data: JSON.parse(fields.data)?.data };
  } catch {
    return null;
  }
}
