// Rows of the fleet in pages of 100, requested when a table shows them.

import { signal } from "../vendor/signals-core/signals-core.mjs";
import { get } from "./api.js";

const PAGE = 100;
const FIELDS = "id,os,os_version,addresses,version,seen,connected,status,last_run,resources";

export class FleetRows {
  constructor() {
    this.pages = new Map();
    this.asked = new Set();
    this.version = signal(0);
    this.total = signal(null);
    this.problem = signal(null);
    this.turn = 0;
  }

  /** Change the filter and order; the old rows stay until the first page of new ones arrives. */
  choose(filter, sort) {
    Object.assign(this, { filter, sort });
    this.turn += 1;
    this.asked.clear();
    this.isOld = true;
    return this.need(0);
  }

  /** Request the pages again that were shown last. */
  renew() {
    this.turn += 1;
    this.asked.clear();
    const [first, end] = this.shown ?? [0, 1];
    for (const number of this.pages.keys()) {
      if (number < Math.floor(first / PAGE) || number * PAGE > end) this.pages.delete(number);
    }
    this.show(first, end);
  }

  /** Request the missing pages of a range of rows. */
  show(first, end) {
    this.shown = [first, end];
    for (let number = Math.floor(first / PAGE); number * PAGE < end; number += 1) this.need(number);
  }

  at(place) {
    return this.pages.get(Math.floor(place / PAGE))?.[place % PAGE];
  }

  async need(number) {
    if (this.asked.has(number)) return;
    this.asked.add(number);
    const turn = this.turn;
    const query = {
      filter: this.filter,
      sort: this.sort,
      fields: FIELDS,
      limit: PAGE,
      skip: number * PAGE || "",
    };
    try {
      const reply = await get("v1/minions", query);
      if (turn !== this.turn) return;
      if (this.isOld) this.pages.clear();
      this.isOld = false;
      this.pages.set(number, reply.items);
      this.total.value = reply.total;
      this.problem.value = null;
    } catch (problem) {
      if (turn !== this.turn) return;
      this.asked.delete(number);
      this.problem.value = problem;
    }
    this.version.value += 1;
  }

  /** Return the ids of all rows. */
  async ids() {
    const found = [];
    for (let after = ""; after !== null;) {
      const reply = await get("v1/minions", { filter: this.filter, fields: "id", limit: 10_000, after });
      found.push(...reply.items.map((row) => row.id));
      after = reply.next;
    }
    return found;
  }
}
