// Runs the script of a chart's page without a browser: a small document, and a canvas that notes what is drawn.
// node page_harness.js PAGE WIDTH HEIGHT ACTS: acts are JSON, [[what, arguments...], ...]; prints what came of each.
"use strict";
const fs = require("fs");
const vm = require("vm");

const [page, width, height, acts] = [process.argv[2], +process.argv[3], +process.argv[4], JSON.parse(process.argv[5])];
const text = fs.readFileSync(page, "utf-8");
const embedded = /<script type="application\/json" id="data">([^]*?)<\/script>/.exec(text)[1];
const script = /<script>\n([^]*?)<\/script>/.exec(text)[1];
const style = /<style>\n([^]*?)<\/style>/.exec(text)[1];
const colours = Object.fromEntries([...style.matchAll(/--(\w+):([^;}]+)/g)].reverse().map((one) => [one[1], one[2]]));

class Element {
  constructor(name) {
    Object.assign(this, { name, style: {}, listeners: {}, textContent: "", value: "", hidden: false, children: [] });
    Object.assign(this, { scrollTop: 0, offsetWidth: 100, offsetHeight: 60, clientWidth: width, clientHeight: height });
    this.classList = { add() {}, remove() {} };
  }
  addEventListener(kind, act) { this.listeners[kind] = act; }
  replaceChildren(...children) { this.children = children; }
  setAttribute() {}
  setPointerCapture() {}
  focus() { document.active = this.name; }
  getBoundingClientRect() { return { left: 0, top: 0 }; }
  getContext() { return context; }
}

const drawn = [];
const context = {
  measureText: (words) => ({ width: 7 * [...words].length }),
  fillRect(...box) { drawn.push(["rect", this.fillStyle, ...box]); },
  strokeRect(...box) { drawn.push(["frame", this.strokeStyle, ...box]); },
  fillText(words, x, y) { drawn.push(["text", this.fillStyle, words, x, y]); },
  setTransform() {}, save() {}, restore() {}, beginPath() {}, rect() {}, clip() {},
};
const elements = {};
const document = {
  documentElement: new Element("html"),
  getElementById: (id) => elements[id] || (elements[id] = new Element(id)),
  createElement: (name) => new Element(name),
};
document.getElementById("data").textContent = embedded;
const waiting = [];
const sandbox = vm.createContext({
  document, performance, console, devicePixelRatio: 1,
  getComputedStyle: () => ({ getPropertyValue: (name) => colours[name.slice(2)] || "" }),
  requestAnimationFrame: (act) => waiting.push(act),
  matchMedia: () => new Element("media"),
  ResizeObserver: class { constructor(act) { this.act = act; } observe() { waiting.push(this.act); } },
});
vm.runInContext(script, sandbox);
const frame = () => { drawn.length = 0; while (waiting.length) waiting.shift()(); };
frame();

const chart = sandbox.larsChart;
const send = (id, kind, event) =>
  document.getElementById(id).listeners[kind]({ preventDefault() {}, pointerId: 1, deltaX: 0, deltaY: 0, deltaMode: 0, ...event });
const tip = () => (elements.tip.hidden ? null : elements.tip.children.map((one) => one.textContent));
const does = {
  key: (key) => send("canvas", "keydown", { key }),
  search: (words) => { elements.search.value = words; send("search", "input", {}); },
  wheel: (x, y, deltaY) => send("canvas", "wheel", { clientX: x, clientY: y, deltaY }),
  drag: (x, y, toX, toY) => {
    send("canvas", "pointerdown", { clientX: x, clientY: y });
    send("canvas", "pointermove", { clientX: toX, clientY: toY });
    send("canvas", "pointerup", { clientX: toX, clientY: toY });
  },
  hover: (x, y) => send("canvas", "pointermove", { clientX: x, clientY: y }),
  drawn: () => {},
  call: () => {},
};
const results = acts.map(([what, ...rest]) => {
  does[what](...rest);
  frame();
  if (what === "call") return vm.runInContext(rest[0], sandbox);
  if (what === "drawn") return (chart.draw(), [...drawn]);
  const { from, to, top, lane } = chart.view;
  return { from, to, top, lane, rows: chart.rows(), bars: chart.bars, frame: chart.frame, ready: chart.ready, tip: tip(),
    found: elements.found.textContent, said: document.getElementById("said").textContent, active: document.active || null };
});
process.stdout.write(JSON.stringify(results));
