// Additional style sheets of views, each loaded before its view is first shown.

const asked = new Map();

/** Return a promise that is fulfilled when a style sheet next to page.css is in use. */
export function styled(name) {
  if (!asked.has(name)) asked.set(name, load(name));
  return asked.get(name);
}

function load(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`../${name}`, import.meta.url);
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      asked.delete(name);
      link.remove();
      reject(new Error(`${name} cannot be loaded`));
    };
    document.head.append(link);
  });
}
