"use strict";
const LEAST = 0.8;  // the scale at which text can still be read
const plan = document.getElementById("plan"), view = document.getElementById("view");
const select = document.querySelector("select"), svg = plan.querySelector("svg");
const isMany = plan.classList.contains("many"), cards = [...plan.querySelectorAll(".card")];
const arrows = [...plan.querySelectorAll(".arrow")].map((label, number) => {
  const line = document.createElementNS(svg.namespaceURI, "path"), kind = label.classList.contains("not") ? "not" : "now";
  line.setAttribute("class", `line ${kind}`);
  line.setAttribute("marker-end", `url(#${kind})`);
  svg.append(line);
  const {from, to} = label.dataset;
  return {number, label, line, from, to, source: cards[from], target: cards[to]};
});
let scale = 1, width = 0, chosen = null, drawnFor = 0;

const size = element => ({width: element.offsetWidth, height: element.offsetHeight});
const laidOut = (rankdir, numbers, shownArrows) => {
  const graph = new dagre.graphlib.Graph({multigraph: true});
  const ranker = chosen === null && isMany ? "longest-path" : "network-simplex";  // the other takes long for very many
  graph.setGraph({rankdir, ranker, nodesep: 18, edgesep: 14, ranksep: 44, marginx: 12, marginy: 12});
  for (const number of numbers) graph.setNode(`${number}`, size(cards[number]));
  for (const {number, label, from, to} of shownArrows)
    graph.setEdge(from, to, {...size(label), labelpos: "c"}, `${number}`);
  dagre.layout(graph);
  return graph;
};
// An arrow goes from side to side of its cards, and straight on beside cards that it passes.
const lines = graph => {
  const isDown = graph.graph().rankdir === "TB", halves = new Map();
  const [main, other, length] = isDown ? ["y", "x", "height"] : ["x", "y", "width"];
  for (const name of graph.nodes()) {
    const {[main]: place, [length]: whole} = graph.node(name), rank = Math.round(place);
    halves.set(rank, Math.max(halves.get(rank) ?? 0, whole / 2));
  }
  const at = (far, beside) => isDown ? `${beside} ${far}` : `${far} ${beside}`;
  return graph.edges().map(edge => {
    const label = graph.edge(edge), source = graph.node(edge.v), target = graph.node(edge.w);
    const ahead = Math.sign(target[main] - source[main]) || 1;
    let far = source[main] + ahead * source[length] / 2, beside = source[other], path = `M${at(far, beside)}`;
    const on = (to, side) => {
      path += `C${at((far + to) / 2, beside)} ${at((far + to) / 2, side)} ${at(to, side)}`;
      [far, beside] = [to, side];
    };
    for (const point of label.points.slice(1, -1)) {
      const own = Math.abs(label[main] - point[main]) < 1 ? label[length] / 2 : 0;
      const half = ahead * Math.max(own, halves.get(Math.round(point[main])) ?? 0);
      on(point[main] - half, point[other]);
      path += `L${at(far = point[main] + half, beside)}`;
    }
    on(target[main] - ahead * target[length] / 2, target[other]);
    return [arrows[edge.name], label, path];
  });
};
const put = (element, {x, y, width, height}) => {
  element.style.left = `${x - width / 2}px`;
  element.style.top = `${y - height / 2}px`;
};
const zoom = to => plan.style.zoom = scale = Math.min(4, Math.max(0.1, to));
const draw = () => {
  plan.style.zoom = 1;
  plan.classList.toggle("whole", chosen === null);
  const shownArrows = arrows.filter(({source, target}) => chosen === null || source === chosen || target === chosen);
  const ends = new Set([chosen, ...shownArrows.flatMap(({source, target}) => [source, target])]);
  for (const card of cards) card.hidden = chosen !== null && !ends.has(card);
  for (const {label, line} of arrows) label.hidden = true, line.setAttribute("d", "");
  for (const {label} of shownArrows) label.hidden = false;
  const numbers = [...cards.keys()].filter(number => !cards[number].hidden);
  let graph = laidOut("LR", numbers, shownArrows);  // or downwards, where that is narrower and this does not fit
  if (graph.graph().width > view.clientWidth) {
    const down = laidOut("TB", numbers, shownArrows);
    if (down.graph().width < graph.graph().width) graph = down;
  }
  width = graph.graph().width;
  for (const {style} of [plan, svg]) style.width = `${width}px`, style.height = `${graph.graph().height}px`;
  for (const number of numbers) put(cards[number], graph.node(`${number}`));
  for (const [{label, line}, place, path] of lines(graph)) {
    put(label, place);
    line.setAttribute("d", path);
  }
  zoom(Math.min(1, Math.max(LEAST, view.clientWidth / width)));
  (chosen ?? cards[0])?.scrollIntoView({block: "nearest", inline: "center"});
};
const choose = card => {
  chosen = card;
  select.value = card === null ? "" : cards.indexOf(card);
  light(null);
  draw();
};
const light = card => {
  for (const one of plan.querySelectorAll(".lit")) one.classList.remove("lit");
  plan.classList.toggle("pointed", card !== null);
  card?.classList.add("lit");
  for (const {label, line, source, target} of card === null ? [] : arrows)
    if (source === card || target === card) for (const one of [label, line, source, target]) one.classList.add("lit");
};
const whole = () => {
  choose(null);
  zoom(Math.min(1, view.clientWidth / width));
};
for (const card of cards) {
  for (const event of ["pointerenter", "focus"]) card.addEventListener(event, () => light(card));
  for (const event of ["pointerleave", "blur"]) card.addEventListener(event, () => light(null));
  card.addEventListener("click", () => choose(card === chosen ? null : card));
}
select.addEventListener("change", () => choose(cards[select.value] ?? null));
document.getElementById("in").onclick = () => zoom(scale * 1.25);
document.getElementById("out").onclick = () => zoom(scale / 1.25);
document.getElementById("all").onclick = whole;
addEventListener("keydown", ({key, target}) => {
  if (target === select) return;
  if (key === "+") zoom(scale * 1.25);
  else if (key === "-") zoom(scale / 1.25);
  else if (key === "0") whole();
  else if (key === "Escape") choose(null);
  else if (key === "Enter" && target.matches(".card")) target.click();
});
if (isMany) select.value = cards.indexOf(chosen = plan.querySelector(".shown") ?? cards.at(-1));
new ResizeObserver(() => view.clientWidth !== drawnFor && (drawnFor = view.clientWidth, draw())).observe(view);
