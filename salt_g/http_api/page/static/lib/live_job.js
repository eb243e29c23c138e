// A followed job: its data, its returns, and its live steps until all minions have returned.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { get, url } from "./api.js";
import { momentOf } from "./format.js";
import { JobModel } from "./job_model.js";
import { Loading } from "./loading.js";
import { say } from "./store.js";
import { Stream } from "./stream.js";

const PAGE = 500;
/** Age below which a job may have events that its returns do not contain (ms). */
const FRESH = 60_000;

export class LiveJob {
  /** `onOver` is called when the last minion has returned. */
  constructor(onOver = () => {}) {
    this.onOver = onOver;
    this.detail = new Loading();
    this.version = signal(0);
    this.jid = "";
    this.model = new JobModel();
    this.frame = 0;
  }

  open(jid) {
    if (jid === this.jid) return;
    this.close();
    this.jid = jid;
    this.model = new JobModel();
    this.isOver = false;
    this.load();
  }

  close() {
    this.stream?.close();
    this.stream = null;
    this.jid = "";
    this.detail.clear();
  }

  /** Render once at the next frame, however many events arrive. */
  changed() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.version.value += 1;
    });
  }

  async load() {
    const mine = this.jid;
    const reply = await this.detail.load((control) => get(`v1/jobs/${mine}`, {}, control));
    if (!reply || mine !== this.jid) return;
    this.model.expect(reply.minions);
    // The stream begins before the returns are read, so that no return is missed in between.
    if (reply.missing.length || Date.now() - momentOf(mine) < FRESH) this.listen();
    await this.readReturns(mine);
  }

  async readReturns(mine) {
    for (let after = ""; after !== null && mine === this.jid;) {
      const reply = await get(`v1/jobs/${mine}/returns`, { after, limit: PAGE }).catch((problem) =>
        say(problem.message, "failed"),
      );
      if (!reply || mine !== this.jid) return;
      reply.items.forEach((one) => this.model.returned(one));
      after = reply.next;
      this.changed();
    }
    this.report(mine);
  }

  listen() {
    const mine = this.jid;
    this.stream ??= new Stream(url(`v1/jobs/${mine}/steps`), {
      onEvents: (events) => mine === this.jid && events.forEach((event) => this.take(event)),
      onLost: () => this.readReturns(mine),
    });
  }

  take({ tag, data }) {
    const [, , , kind, ...rest] = tag.split("/");
    const id = rest.join("/");
    if (kind === "step") this.model.step(id, data);
    else if (kind === "ret") this.returned(id, data);
    this.changed();
  }

  /** Add a return; one that was too large for its event is read from the master. */
  returned(id, data) {
    if (data && "return" in data && !("trimmed" in data)) this.model.returned({ ...data, id });
    else this.readReturns(this.jid);
    if (!this.model.missing.length) {
      this.stream?.close();
      this.stream = null;
    }
    this.report(this.jid);
  }

  /** Report once that the last minion has returned. The stream may continue with places of earlier steps. */
  report(mine) {
    if (this.model.missing.length || mine !== this.jid || this.isOver) return;
    this.isOver = true;
    this.onOver(mine);
  }
}
