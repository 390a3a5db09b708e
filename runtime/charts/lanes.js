// Lanes on a canvas: bars over which atoms held, marks of input. Only the lanes in sight are drawn, and of their bars one
// for each pixel at most. Shared by the page of a chart and the live page.

const ROW = 20, AXIS = 44, SCROLLER = 14, LONGEST_TIP = 2000, TALLEST = 8e6, CLICK = 4;

/** What is seen of sorted bars: pairs of pixels, one bar for all that fall into a pixel. None is drawn behind `until`. */
function pixelsOf(begins, ends, low, high, from, scale, width, until = Infinity) {
  const found = [];
  const last = from + width / scale;
  let i = above(ends, from, low, high);
  while (i < high && begins[i] < last) {
    const x = (begins[i] - from) * scale;
    let end = (Math.min(ends[i], until) - from) * scale;
    const next = from + (Math.max(end, x + 1) + 1) / scale;
    let j = i + 1;
    if (j < high && begins[j] < next) {  // what follows is less than a pixel away
      const other = end - x < 2 ? from + (x + 2) / scale : next;
      j = Math.max(j, above(begins, other, j, high));
      end = Math.max(end, (Math.min(ends[j - 1], until) - from) * scale);
    }
    found.push(Math.max(x, -1), Math.min(Math.max(end, x + 1), width + 1));
    i = j;
  }
  return found;
}

/** The rows in sight of a search: inputs, predicates and atoms, as [kind, what it is, number of the predicate]. */
const INPUT = 0, GROUP = 1, LANE = 2;
function rowsOf(source, text) {
  const rows = [], wanted = text.toLowerCase();
  for (const input of source.inputs) {
    if (!wanted || input.name.toLowerCase().includes(wanted)) rows.push([INPUT, input]);
  }
  let lanes = 0;
  source.groups.forEach((group, number) => {
    const before = rows.length;
    for (const lane of group.lanes) {
      if (wanted && !lane.lowered.includes(wanted)) continue;
      if (rows.length === before) rows.push([GROUP, group, number]);
      rows.push([LANE, lane, number]);
      lanes++;
    }
  });
  return { rows, lanes };
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/**
 * The view of a source on the canvas of the page.
 *
 * A source has `inputs` ({name, ticks, counts, low, high}), `groups` ({name, lanes}), of which a lane is
 * {text, lowered, begins, ends, low, high, earlier}, `gaps` ({begins, ends}) without answer stream, `missed` (the same) that
 * nobody has seen, a `clock`, `bounds()`, the ticks that there are, and `last()`, where bars end that have not ended.
 * `hooks.summary(lanes)` says what is found, `hooks.pick(lane, tick, bar)` takes a click; where there is none, clicks do nothing.
 */
function laneView(source, hooks) {
  const element = (id) => document.getElementById(id);
  const canvas = element("canvas"), context = canvas.getContext("2d"), tip = element("tip");
  const scroller = element("scroller"), spacer = element("spacer"), search = element("search");
  const [begin, end] = source.bounds();
  const view = { from: begin, to: end, top: 0, lane: -1, bar: -1, follows: true, span: Infinity };
  let rows = [], width = 0, height = 0, side = 0, colours = {}, isDue = false, stretch = 1;
  const labels = new Map();
  const began = performance.now();
  const chart = { view, frames: 0, frame: 0, bars: 0, ready: 0, marks: new Map(), windows: new Map(), rows: () => rows.length,
    draw, due, find, follow, look, zoom, recolour, reveal };

  const plot = () => Math.max(width - side - SCROLLER, 1);
  const scale = () => plot() / (view.to - view.from);
  const across = (tick) => side + (tick - view.from) * scale();
  const room = () => Math.max(height - AXIS, 0);
  const mostTop = () => Math.max(0, rows.length * ROW - room());

  function due() {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; draw(); });
  }

  function look(from, to) {  // at a part of the axis, in its bounds and not below half a tick
    const [low, high] = source.bounds(), length = high - low;
    const span = Math.min(Math.max(to - from, Math.min(0.5, length)), length);
    view.from = Math.min(Math.max(from, low), high - span);
    view.to = view.from + span;
    view.follows = view.to >= high - 1e-9 * Math.max(1, high);
    view.span = span < length ? span : Infinity;
    hide();
    due();
  }

  function follow(span = view.span) {  // the last ticks, also while there come more
    const [low, high] = source.bounds();
    view.follows = true;
    view.span = span;
    view.to = high;
    view.from = Math.max(low, high - span);
    due();
  }

  function zoom(factor, x = side + plot() / 2) {
    const [low, high] = source.bounds();
    const isAtEnd = hooks.isLive && view.follows;
    const part = isAtEnd ? 1 : Math.min(Math.max((x - side) / plot(), 0), 1), at = view.from + part * (view.to - view.from);
    const span = Math.min((view.to - view.from) * factor, high - low);
    look(at - part * span, at - part * span + span);
  }

  function scrollTo(top) {
    view.top = Math.min(Math.max(top, 0), mostTop());
    scroller.scrollTop = view.top / stretch;
    due();
  }

  function measure() {
    const ratio = globalThis.devicePixelRatio || 1;
    width = canvas.clientWidth; height = canvas.clientHeight;
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    side = Math.round(Math.min(260, Math.max(90, width * 0.32)));
    labels.clear();
    stretched();
  }

  function stretched() {  // browsers bound how tall an element may be
    const tall = rows.length * ROW;
    stretch = Math.max(1, tall / TALLEST);
    spacer.style.height = `${tall / stretch}px`;
    scrollTo(view.top);
  }

  function recolour() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["page", "text", "faint", "line", "band", "gap", "edge", "mark", "focus", "missed"]) {
      colours[name] = style.getPropertyValue(`--${name}`);
    }
    colours.bars = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => style.getPropertyValue(`--bar${n}`));
    due();
  }

  function find(isAnew = true) {  // the rows, after another search, or where there are other lanes
    const chosen = rows[view.lane];
    const found = rowsOf(source, search.value);
    rows = found.rows;
    element("found").textContent = hooks.summary(found.lanes, Boolean(search.value));
    if (isAnew) {
      view.lane = view.bar = -1;
      view.top = 0;
      hide();
    } else if (chosen) {
      view.lane = rows.findIndex((row) => row[1] === chosen[1]);
      if (view.lane < 0) view.bar = -1;
    }
    stretched();
    due();
  }

  function labelOf(text, most) {  // cut off where it is too wide
    const known = labels.get(text);
    if (known !== undefined) return known;
    let kept = text.slice(0, 120);
    if (kept.length < text.length || context.measureText(kept).width > most) {
      let low = 0, high = kept.length;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (context.measureText(`${kept.slice(0, middle)}\u2026`).width <= most) low = middle; else high = middle - 1;
      }
      kept = `${kept.slice(0, low)}\u2026`;
    }
    if (labels.size > 5000) labels.clear();
    labels.set(text, kept);
    return kept;
  }

  function shortOf(lane, group) {  // without the name of the predicate, which stands above, where there is little room
    const text = lane.text, name = source.groups[group].name.replace(/\/\d+$/, "");
    return width < 600 && text.startsWith(`${name}(`) ? text.slice(name.length) : text;
  }

  function draw() {
    const at = performance.now();
    context.fillStyle = colours.page;
    context.fillRect(0, 0, width, height);
    chart.bars = 0;
    drawGrid();
    const first = Math.floor(view.top / ROW), last = Math.min(rows.length, Math.ceil((view.top + room()) / ROW));
    context.save();
    context.beginPath();
    context.rect(0, AXIS, width, room());
    context.clip();
    for (let n = first; n < last; n++) drawRow(rows[n], n, AXIS + n * ROW - view.top);
    drawSpans(source.gaps, colours.gap);
    if (source.missed.begins.length) drawSpans(source.missed, colours.missed);
    context.restore();
    chart.frames++;
    chart.frame = performance.now() - at;
    chart.ready = chart.ready || performance.now() - began;
  }

  function drawGrid() {
    const clock = source.clock;
    const ticks = axisOf(clock, view.from, view.to, Math.max(2, Math.floor(plot() / 62)));
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    let free = side - 30;
    for (const [tick, label, isLarge] of ticks) {
      const x = across(tick), wide = context.measureText(label).width;
      context.fillStyle = colours.line;
      context.fillRect(Math.round(x), 24, 1, height);
      if (x - wide / 2 < free || x + wide / 2 > width) continue;
      context.fillStyle = isLarge ? colours.text : colours.faint;
      context.fillText(label, x - wide / 2, 32);
      free = x + wide / 2 + 8;
    }
    context.fillStyle = colours.faint;
    const words = clock.length ? `${clock.text(Math.ceil(view.from))}  ${clock.zone}` : `from tick ${clock.numbered(Math.ceil(view.from))}`;
    context.fillText(words, Math.min(side, Math.max(8, width - SCROLLER - context.measureText(words).width)), 12);
    context.fillStyle = colours.line;
    context.fillRect(0, AXIS - 1, width, 1);
  }

  function drawSpans(spans, colour) {
    const seen = pixelsOf(spans.begins, spans.ends, 0, spans.begins.length, view.from, scale(), plot(), source.last());
    for (let i = 0; i < seen.length; i += 2) {
      const x = side + Math.max(seen[i], 0), right = side + Math.min(seen[i + 1], plot());
      context.fillStyle = colour;
      context.fillRect(x, AXIS, right - x, room());
    }
  }

  function drawRow([kind, what, group], place, y) {
    const isChosen = place === view.lane;
    context.font = kind === LANE ? "12px ui-monospace, Menlo, Consolas, monospace" : "600 12px system-ui, sans-serif";
    if (kind === GROUP || isChosen) {
      context.fillStyle = colours.band;
      context.fillRect(0, y, width, ROW);
    }
    context.fillStyle = kind === INPUT ? colours.faint : colours.text;
    const text = kind === LANE ? shortOf(what, group) : kind === GROUP ? what.name : `input ${what.name}`;
    context.fillText(labelOf(text, side - 20), kind === LANE ? 14 : 6, y + ROW / 2);
    if (isChosen) {
      context.strokeStyle = colours.focus;
      context.strokeRect(0.5, y + 0.5, width - SCROLLER - 1, ROW - 1);
    }
    if (kind === INPUT) drawMarks(what, y);
    else if (kind === LANE) drawBars(what, group, isChosen, y);
    if (kind !== GROUP) drawWitness(what, y);
  }

  function drawBars(lane, group, isChosen, y) {
    const seen = pixelsOf(lane.begins, lane.ends, lane.low, lane.high, view.from, scale(), plot(), source.last());
    context.fillStyle = colours.bars[group % colours.bars.length];
    for (let i = 0; i < seen.length; i += 2) {
      const x = Math.max(seen[i], 0), right = Math.min(seen[i + 1], plot());
      context.fillRect(side + x, y + 4, Math.max(right - x, 1), ROW - 8);
    }
    chart.bars += seen.length / 2;
    if (lane.earlier && view.from <= source.bounds()[0]) {
      context.fillStyle = colours.edge;
      context.fillRect(side, y + 3, 2, ROW - 6);
    }
    const bar = isChosen ? view.bar : -1;
    if (bar >= 0 && lane.ends[bar] > view.from && lane.begins[bar] < view.to) {
      frame(lane.begins[bar], Math.min(lane.ends[bar], source.last()), y + 2.5, ROW - 5);
    }
  }

  function frame(from, to, y, tall) {
    const x = Math.max(across(from), side), right = Math.min(across(to), side + plot());
    if (right < side || x > side + plot()) return;
    context.strokeStyle = colours.focus;
    context.strokeRect(x - 0.5, y, Math.max(right - x, 2) + 1, tall);
  }

  function drawWitness(what, y) {  // what an explanation rests on: the window as a line, the ticks in frames
    for (const [first, last] of chart.windows.get(what) || []) {
      context.fillStyle = colours.focus;
      const x = Math.max(across(first), side), right = Math.min(across(last + 1), side + plot());
      if (right > x) context.fillRect(x, y + ROW - 2, right - x, 2);
    }
    for (const [first, last] of chart.marks.get(what) || []) frame(first, last + 1, y + 1.5, ROW - 4);
  }

  function drawMarks(input, y) {
    const seen = pixelsOf(input.ticks, input.ticks, input.low, input.high, view.from - 1e-9, scale(), plot());
    context.fillStyle = colours.mark;
    for (let i = 0; i < seen.length; i += 2) {
      const x = Math.max(seen[i], 0), right = Math.min(seen[i + 1], plot());
      if (x < plot()) context.fillRect(side + x, y + 6, Math.max(Math.min(right - x, plot() - x), 1.5), ROW - 12);
    }
    chart.bars += seen.length / 2;
  }

  // --- what is under the pointer ------------------------------------------------------------------------

  /** The bar of a lane that is nearest to a tick, within some pixels; -1 for none. */
  function barAt(lane, tick, pixels = 3) {
    const { begins, ends, low, high } = lane, near = pixels / scale();
    const after = above(begins, tick, low, high);
    const distance = (i) => Math.max(begins[i] - tick, tick - Math.min(ends[i], source.last()), 0);
    const best = [after - 1, after].filter((i) => i >= low && i < high).sort((a, b) => distance(a) - distance(b))[0];
    return best !== undefined && distance(best) <= near ? best : -1;
  }

  function linesOfBar(lane, bar) {
    const { clock } = source, from = lane.begins[bar], to = Math.min(lane.ends[bar], source.last());
    const isEarlier = lane.earlier && bar === lane.low, isOpen = lane.ends[bar] >= source.last();
    const end = hooks.isLive ? "holds" : `holds to the end, ${clock.text(to)}`;
    return [lane.text, `${isEarlier ? "begun before" : "begin"}  ${clock.text(from)}`,
      isOpen ? end : `end  ${clock.text(to)}`,
      `duration  ${isEarlier || isOpen ? "at least " : ""}${durationOf(to - from, clock)}`];
  }

  function linesAt(x, y) {
    const { clock, gaps } = source;
    const place = Math.floor((y - AXIS + view.top) / ROW);
    if (y < AXIS || place >= rows.length) return null;
    const [kind, what] = rows[place], tick = view.from + (x - side) / scale();
    if (x < side) {
      if (kind === LANE) return [what.text, count(what.high - what.low, "interval")];
      return kind === GROUP ? [what.name, count(what.lanes.length, "atom")] : [`input ${what.name}`];
    }
    if (kind === LANE) {
      const bar = barAt(what, tick);
      if (bar >= 0) return linesOfBar(what, bar);
    }
    if (kind === INPUT) {
      const { ticks, low, high } = what, after = above(ticks, tick, low, high);
      const best = [after - 1, after].filter((i) => i >= low && i < high)
        .sort((a, b) => Math.abs(ticks[a] - tick) - Math.abs(ticks[b] - tick))[0];
      if (best !== undefined && Math.abs(ticks[best] - tick) * scale() <= 4) {
        return [`input ${what.name}`, count(what.counts[best], "fact"), clock.text(ticks[best])];
      }
    }
    for (const [spans, words] of [[gaps, "no answer stream"], [source.missed, "too much came at once to be shown here"]]) {
      const gap = above(spans.begins, tick, 0, spans.begins.length) - 1;
      if (gap < 0 || tick >= Math.min(spans.ends[gap], source.last())) continue;
      const from = spans.begins[gap], to = Math.min(spans.ends[gap], source.last());
      return [words, `begin  ${clock.text(from)}`, `end  ${clock.text(to)}`, durationOf(to - from, clock)];
    }
    return null;
  }

  function show(lines, x, y) {
    tip.replaceChildren(...lines.map((line, n) => {
      const part = document.createElement(n ? "div" : "b");
      part.textContent = line.length > LONGEST_TIP ? `${line.slice(0, LONGEST_TIP)} \u2026 (${line.length} characters)` : line;
      return part;
    }));
    tip.hidden = false;
    tip.style.left = `${Math.max(4, Math.min(x + 14, width - tip.offsetWidth - 6))}px`;
    const below = y + 18;
    tip.style.top = `${below + tip.offsetHeight < height ? below : Math.max(4, y - tip.offsetHeight - 10)}px`;
  }

  function hide() { tip.hidden = true; }

  function pick(x, y) {  // a click
    const place = Math.floor((y - AXIS + view.top) / ROW);
    if (!hooks.pick || y < AXIS || place >= rows.length || rows[place][0] !== LANE) return;
    const lane = rows[place][1];
    view.lane = place;
    if (x < side) {
      view.bar = -1;
      hooks.pick(lane, null);
    } else {
      const tick = view.from + (x - side) / scale(), bar = view.bar = barAt(lane, tick);
      const last = bar < 0 ? Infinity : Math.min(lane.ends[bar], source.last()) - 1;
      hooks.pick(lane, Math.floor(bar < 0 ? tick : Math.min(Math.max(tick, lane.begins[bar]), last)));
    }
    due();
  }

  // --- the pointer and keys -----------------------------------------------------------------------------

  const pointers = new Map();
  let moved = 0;
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, placeOf(event));
    moved = 0;
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("dragged");
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = placeOf(event), before = pointers.get(event.pointerId);
    if (!before) {
      const lines = linesAt(here.x, here.y);
      if (lines) show(lines, here.x, here.y); else hide();
      return;
    }
    moved += Math.abs(before.x - here.x) + Math.abs(before.y - here.y);
    if (pointers.size === 1) {
      const by = (before.x - here.x) / scale();
      if (by) look(view.from + by, view.to + by);
      scrollTo(view.top + before.y - here.y);
    } else {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      zoom(Math.max(Math.abs(before.x - other.x), 8) / Math.max(Math.abs(here.x - other.x), 8), (here.x + other.x) / 2);
    }
    pointers.set(event.pointerId, here);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => {
      const here = placeOf(event);
      if (pointers.delete(event.pointerId) && name === "pointerup" && moved < CLICK) pick(here.x, here.y);
      canvas.classList.remove("dragged");
      const lines = event.pointerType === "touch" ? linesAt(here.x, here.y) : null;
      if (lines) show(lines, here.x, here.y);
    });
  }
  canvas.addEventListener("pointerleave", hide);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x } = placeOf(event), unit = event.deltaMode === 1 ? ROW : event.deltaMode === 2 ? room() : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = ((event.deltaX || event.deltaY) * unit) / scale();
      look(view.from + by, view.to + by);
    } else if (x < side) {
      hide();
      scrollTo(view.top + event.deltaY * unit);
    } else zoom(Math.exp(Math.max(-300, Math.min(300, event.deltaY * unit)) / 400), x);
  }, { passive: false });
  scroller.addEventListener("scroll", () => {
    if (Math.abs(scroller.scrollTop - view.top / stretch) < 1) return;
    view.top = Math.min(scroller.scrollTop * stretch, mostTop());
    hide();
    due();
  });

  function choose(place) {
    view.lane = Math.min(Math.max(place, 0), rows.length - 1);
    view.bar = -1;
    if (view.lane < 0) return;
    const y = view.lane * ROW;
    scrollTo(y < view.top ? y : Math.max(view.top, y + ROW - room()));
    const [kind, what] = rows[view.lane];
    const lines = linesAt(0, AXIS + y - view.top + 1);
    hide();
    element("said").textContent = lines ? lines.join(", ").slice(0, 300) : "";
    if (kind === LANE) view.bar = above(what.ends, view.from, what.low, what.high) - 1;
    due();
  }

  function reveal(lane) {  // scrolls to a lane
    const place = rows.findIndex((row) => row[1] === lane);
    if (place >= 0) choose(place);
  }

  function step(by) {  // to the next or the previous interval of the chosen lane
    const row = rows[view.lane];
    if (!row || row[0] !== LANE) return;
    const lane = row[1], bar = view.bar + by;
    if (bar < lane.low || bar >= lane.high) return;
    const span = view.to - view.from, from = lane.begins[bar], outside = from < view.from || from >= view.to;
    if (outside) look(from - span / 4, from + (3 * span) / 4);
    view.bar = bar;
    const lines = linesOfBar(lane, bar);
    show(lines, across(from), AXIS + view.lane * ROW - view.top + ROW);
    element("said").textContent = lines.join(", ").slice(0, 300);
    due();
  }

  function ask() {  // what a click on the chosen interval does; without one, on the end of the lane
    const row = rows[view.lane];
    if (!row || row[0] !== LANE || !hooks.pick) return;
    const lane = row[1], bar = view.bar;
    hooks.pick(lane, bar >= lane.low && bar < lane.high ? Math.max(lane.begins[bar], Math.ceil(source.bounds()[0])) : null);
  }

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [low, high] = source.bounds();
    const span = view.to - view.from, page = Math.max(1, Math.floor(room() / ROW) - 1);
    const acts = {
      "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1 / 0.7), "0": () => look(low, high),
      ArrowLeft: () => look(view.from - span / 8, view.to - span / 8),
      ArrowRight: () => look(view.from + span / 8, view.to + span / 8),
      Home: () => look(low, low + span), End: () => look(high - span, high),
      ArrowDown: () => choose(view.lane + 1), ArrowUp: () => choose(view.lane - 1),
      PageDown: () => choose(view.lane + page), PageUp: () => choose(view.lane - page),
      n: () => step(1), p: () => step(-1), Enter: ask, Escape: hide, "/": () => search.focus(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  });
  search.addEventListener("input", () => find());
  search.addEventListener("keydown", (event) => { if (event.key === "Enter") canvas.focus(); });
  element("in").addEventListener("click", () => zoom(0.5));
  element("out").addEventListener("click", () => zoom(2));
  element("all").addEventListener("click", () => look(...source.bounds()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  new ResizeObserver(() => { measure(); draw(); }).observe(canvas);
  find();
  measure();
  recolour();
  return chart;
}
