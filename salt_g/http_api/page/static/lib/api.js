// Requests to the API, and refusals as errors.
//
// Shapes: a Problem has status (0: no answer), title, detail and hint, as in /v1.

/** Address of the API: files of the page are three segments below it. */
export const base = new URL("../../../", import.meta.url);

/** Maximum number of times that a read is repeated when the API asks to wait. */
const REPEATS = 2;

const listeners = new Set();

/** Call a function whenever a request is refused because nobody is logged in. */
export const onLogout = (listener) => listeners.add(listener);

export class Problem extends Error {
  constructor({ status = 0, title = "", detail = "", hint = "" }) {
    super(detail || title);
    Object.assign(this, { status, title, detail, hint });
  }
}

/** Return a URL of the API; parameters without a value are left out. */
export function url(path, query = {}) {
  const address = new URL(path.replace(/^\//, ""), base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") address.searchParams.set(name, value);
  }
  return address;
}

export const get = (path, query, signal) => send("GET", path, { query, signal });
export const post = (path, body, headers) => send("POST", path, { body, headers });
export const remove = (path) => send("DELETE", path, {});

/** Send a request and return the data of the answer; throw a Problem if it is refused or not answered. */
async function send(method, path, { query, body, headers = {}, signal }) {
  const options = { method, signal, headers: { Accept: "application/json", ...headers } };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  for (let turn = 0; ; turn += 1) {
    const response = await reach(url(path, query), options);
    if (response.status === 429 && method === "GET" && turn < REPEATS) {
      const pause = Number(response.headers.get("Retry-After")) || 1;
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
      continue;
    }
    if (response.ok) return response.status === 204 ? null : response.json();
    throw await refusal(response);
  }
}

async function reach(address, options) {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({
      title: "No answer",
      detail: "the API does not answer",
      hint: "is salt-g api running, and is the network up?",
    });
  }
}

/** Return the Problem of a response; a missing login is reported to all listeners. */
export async function refusal(response) {
  const reply = await response.json().catch(() => ({}));
  const problem = new Problem({
    status: response.status,
    title: reply.title || response.statusText,
    detail: reply.detail || reply.return || `status ${response.status}`,
    hint: reply.hint || "",
  });
  if (problem.status === 401) listeners.forEach((listener) => listener());
  return problem;
}

/** Log in; return {user, expire, ...}. */
export async function login(username, password, eauth) {
  const options = {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: JSON.stringify({ username, password, eauth }),
  };
  const response = await reach(url("login"), options);
  if (!response.ok) throw await refusal(response);
  return (await response.json()).return[0];
}

export const logout = () => post("logout", {});
