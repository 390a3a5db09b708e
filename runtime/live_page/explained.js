// Explanations as lines that unfold. All that came with the data is text.

const OPEN_LEVELS = 5;

function part(kind, name, text) {
  const made = document.createElement(kind);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** What stands in a line of an explanation. */
function lineOf(entry) {
  const parts = [];
  if (entry.lead) parts.push(part("span", entry.lead.startsWith("fails") ? "fails" : "words", entry.lead));
  if (entry.where) parts.push(part("span", "where", entry.where));
  parts.push(part(entry.code ? "code" : "span", "", entry.text));
  if (entry.tail) parts.push(part("span", "", entry.tail));
  if (entry.lane) parts.push(witnessOf(entry.lane, entry.holds));
  if (entry.note) parts.push(part("span", "note", entry.note));
  return parts;
}

function witnessOf(lane, holds) {
  const made = part("span", "lane"), cells = part("span", holds ? "cells" : "cells fails");
  for (const cell of lane.cells) cells.append(part("i", ["", "some", "all"][cell]));
  cells.title = `holds at ${lane.holding} of ${lane.ticks}`;
  made.append(part("span", "tick", lane.begin), cells);
  if (lane.ticks > 1) made.append(part("span", "tick", lane.end));
  if (lane.words) made.append(part("span", "tick", ` ${lane.words}`));
  return made;
}

/** A tree of lines, the upper ones unfolded. */
function treeOf(root) {
  const top = part("div"), waiting = [[root, top, 0]];
  while (waiting.length) {
    const [entry, parent, level] = waiting.pop();
    if (!entry.children.length) {
      const line = part("div", "line");
      line.append(...lineOf(entry));
      parent.append(line);
      continue;
    }
    const details = part("details"), summary = part("summary"), list = part("ul");
    details.open = level < OPEN_LEVELS;
    summary.append(...lineOf(entry));
    details.append(summary, list);
    parent.append(details);
    const below = entry.children.map((child) => [child, list.appendChild(part("li")), level + 1]);
    waiting.push(...below.reverse());
  }
  return top;
}

/** What is shown of an explanation. */
function explanationOf(found) {
  const shown = found.trees.map(treeOf);
  if (found.more) shown.push(part("p", "quiet", `and ${found.more} more`));
  for (const hint of found.hints) shown.push(part("p", "quiet", `hint: ${hint}`));
  return shown;
}
