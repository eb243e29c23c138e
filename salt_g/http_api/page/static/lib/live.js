// The one event stream of this tab, and who listens to it.

import { get, url } from "./api.js";
import { life } from "./store.js";
import { Stream } from "./stream.js";

/** Time between two questions whether the API has a master (ms): its events just stop without one. */
const HEALTH = 15_000;

const listeners = new Set();
let stream = null;
let heard = "late";
let hasMaster = true;

const show = () => (life.value = hasMaster ? heard : "lost");

/** Begin to read events; the dot of the frame shows how that goes. */
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
 * Call `again` at most once in `pause` ms while events come whose tags fit `pattern`, and where events are
 * missing, `delay` ms after the first one; return the function that ends it.
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

/** Return a function that calls another one at most once in `pause` ms, the last time for sure. */
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

/** Return a function that calls another one `pause` ms after it was called last. */
export function afterPause(pause, call) {
  let timer = null;
  return (...words) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...words), pause);
  };
}
