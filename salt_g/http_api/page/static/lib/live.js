// The one event stream of this tab, and its listeners.

import { get, url } from "./api.js";
import { life } from "./store.js";
import { Stream } from "./stream.js";

/** Interval of the checks whether the API has a master (ms); without one, its events simply stop. */
const HEALTH = 15_000;

const listeners = new Set();
let stream = null;
let heard = "late";
let hasMaster = true;

const show = () => (life.value = hasMaster ? heard : "lost");

/** Start reading events; the dot in the frame shows the state of the stream. */
export function start() {
  stream ??= new Stream(url("v1/events", { tag: "salt/" }), {
    onEvents: (events) => listeners.forEach((listener) => listener.onEvents(events)),
    onState: (state) => {
      heard = state;
      show();
    },
    onLost: () => listeners.forEach((listener) => listener.onLost()),
  });
}

setInterval(async () => {
  if (!stream || document.hidden) return;
  hasMaster = await get("v1/health").then(
    () => true,
    (problem) => problem.status !== 503,
  );
  show();
}, HEALTH);

export function stop() {
  stream?.close();
  stream = null;
}

/**
 * Call `again`, at most once per `pause` ms, `delay` ms after an event whose tag matches `pattern`, or after events
 * were lost; return a function that ends this.
 */
export function follow(pattern, again, pause = 1500, delay = 150) {
  const later = atMostEvery(pause, again, delay);
  const listener = {
    onEvents: (events) => events.some((event) => pattern.test(event.tag)) && later(),
    onLost: later,
  };
  listeners.add(listener);
  return () => {
    later.cancel();
    listeners.delete(listener);
  };
}

/** Return a function that calls `call` at most once per `pause` ms; the last call is delayed, never dropped. */
export function atMostEvery(pause, call, delay) {
  let timer = null;
  let last = 0;
  const later = () => {
    timer ??= setTimeout(
      () => {
        timer = null;
        last = Date.now();
        call();
      },
      Math.max(delay, last + pause - Date.now()),
    );
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** Return a function that calls `call` when it has not been called again for `pause` ms. */
export function afterPause(pause, call) {
  let timer = null;
  return (...words) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...words), pause);
  };
}
