"use strict";
const svg = document.querySelector("svg.plan"), view = document.getElementById("view");
const wide = svg.width.baseVal.value, high = svg.height.baseVal.value;
let scale = 1, kept = null;
const zoom = to => {
  scale = Math.min(4, Math.max(0.1, to));
  svg.setAttribute("width", wide * scale);
  svg.setAttribute("height", high * scale);
};
const whole = () => zoom(Math.min(1, (view.clientWidth - 4) / wide));
document.getElementById("in").onclick = () => zoom(scale * 1.25);
document.getElementById("out").onclick = () => zoom(scale / 1.25);
document.getElementById("all").onclick = whole;
const choose = card => {
  for (const one of svg.querySelectorAll(".lit")) one.classList.remove("lit");
  svg.classList.toggle("chosen", card !== null);
  if (card === null) return;
  card.classList.add("lit");
  const number = card.dataset.card;
  for (const arrow of svg.querySelectorAll(".arrow")) {
    const {from, to} = arrow.dataset;
    if (from !== number && to !== number) continue;
    arrow.classList.add("lit");
    for (const end of [from, to]) svg.querySelector(`[data-card="${end}"]`).classList.add("lit");
  }
};
for (const card of svg.querySelectorAll(".card")) {
  card.setAttribute("tabindex", "0");
  card.addEventListener("pointerenter", () => kept === null && choose(card));
  card.addEventListener("pointerleave", () => kept === null && choose(null));
  card.addEventListener("focus", () => kept === null && choose(card));
  card.addEventListener("blur", () => kept === null && choose(null));
  card.addEventListener("click", event => {
    kept = kept === card ? null : card;
    choose(kept);
    event.stopPropagation();
  });
}
svg.addEventListener("click", () => choose(kept = null));
addEventListener("keydown", event => {
  if (event.key === "+") zoom(scale * 1.25);
  else if (event.key === "-") zoom(scale / 1.25);
  else if (event.key === "0") whole();
  else if (event.key === "Escape") choose(kept = null);
});
whole();
