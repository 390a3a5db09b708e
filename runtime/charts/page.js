"use strict";
// The chart: lanes on a canvas. Only the lanes in sight are drawn, and of their bars one for each pixel at most.

const ROW = 20, AXIS = 44, SCROLLER = 14, LONGEST_TIP = 2000, TALLEST = 8e6;
const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND,
  30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR,
  6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000];

// --- the data -------------------------------------------------------------------------------------------

/** The first place from `low` at which a sorted list has more than a value. */
function above(list, value, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] > value) high = middle; else low = middle + 1;
  }
  return low;
}

/** Ticks, counted from the chart's begin, of their distances; those of all lists in one array. */
function summed(lists) {
  const starts = new Int32Array(lists.length + 1);
  lists.forEach((list, n) => { starts[n + 1] = starts[n] + list.length; });
  const all = new Float64Array(starts[lists.length]);
  lists.forEach((list, n) => {
    let tick = 0;
    for (let i = 0; i < list.length; i++) all[starts[n] + i] = tick += list[i];
  });
  return { starts, all };
}

/** Begins and ends of the bars of all lanes; those of lane n are from starts[n] on. */
function barsOf(lists) {
  const { starts, all } = summed(lists);
  const half = starts.map((at) => at / 2), count = all.length / 2;
  const begins = new Float64Array(count), ends = new Float64Array(count);
  for (let i = 0; i < count; i++) { begins[i] = all[2 * i]; ends[i] = all[2 * i + 1]; }
  return { starts: half, begins, ends };
}

/** What is seen of sorted bars: pairs of pixels, one bar for all that fall into a pixel. */
function pixelsOf(begins, ends, low, high, from, scale, width) {
  const found = [];
  const last = from + width / scale;
  let i = above(ends, from, low, high);
  while (i < high && begins[i] < last) {
    const x = (begins[i] - from) * scale;
    let end = (ends[i] - from) * scale;
    const next = from + (Math.max(end, x + 1) + 1) / scale;
    let j = i + 1;
    if (j < high && begins[j] < next) {  // what follows is less than a pixel away
      const until = end - x < 2 ? from + (x + 2) / scale : next;
      j = Math.max(j, above(begins, until, j, high));
      end = Math.max(end, (ends[j - 1] - from) * scale);
    }
    found.push(Math.max(x, -1), Math.min(Math.max(end, x + 1), width + 1));
    i = j;
  }
  return found;
}

/** The rows in sight of a search: input, predicates and atoms; [kind, number] each, as one list of numbers. */
const INPUT = 0, GROUP = 1, LANE = 2;
function rowsOf(data, lowered, text) {
  const rows = [], wanted = text.toLowerCase();
  data.inputs.forEach(([name], n) => {
    if (!wanted || name.toLowerCase().includes(wanted)) rows.push([INPUT, n]);
  });
  let lane = 0, lanes = 0;
  data.groups.forEach(([, size], group) => {
    const before = rows.length;
    for (const end = lane + size; lane < end; lane++) {
      if (wanted && !lowered[lane].includes(wanted)) continue;
      if (rows.length === before) rows.push([GROUP, group]);
      rows.push([LANE, lane, group]);
      lanes++;
    }
  });
  return { rows, lanes };
}

// --- times ----------------------------------------------------------------------------------------------

const two = (n) => String(n).padStart(2, "0");

function clockOf(clock, begin) {
  const first = BigInt(begin);
  const numbered = (tick) => String(first + BigInt(Math.round(tick)));
  if (!clock) return { numbered, text: (tick) => `tick ${numbered(tick)}`, zone: "ticks" };
  const starts = clock.offsets.map((pair) => pair[0]);
  const offset = (at) => clock.offsets[Math.max(0, above(starts, at, 0, starts.length) - 1)][1] * MINUTE;
  const moment = (tick) => clock.begin + tick * clock.tick;
  const tickAt = (at) => (at - clock.begin) / clock.tick;
  const isFine = clock.tick % SECOND !== 0 || clock.begin % SECOND !== 0;
  const text = (tick) => {
    const at = moment(Math.round(tick)), off = offset(at);
    const iso = new Date(at + off).toISOString();
    let fraction = "";
    if (isFine) {
      const micro = Math.round((at - Math.floor(at / SECOND) * SECOND) * 1000);
      fraction = `.${String(Math.min(micro, 999999)).padStart(6, "0").replace(/(\d{3})000$/, "$1")}`;
    }
    const minutes = Math.abs(off / MINUTE);
    const sign = off < 0 ? "-" : "+";
    return `${iso.slice(0, -5)}${fraction}${sign}${two(Math.floor(minutes / 60))}:${two(Math.floor(minutes % 60))}`;
  };
  return { numbered, text, offset, moment, tickAt, zone: clock.zone, length: clock.tick };
}

/** A number of ticks in the two largest units that matter. */
function durationOf(ticks, clock) {
  const counted = `${ticks} tick${ticks === 1 ? "" : "s"}`;
  if (!clock.length) return counted;
  let left = ticks * clock.length;
  if (left < SECOND) return `${Number(left.toFixed(3))} ms (${counted})`;
  const parts = [];
  for (const [unit, name] of [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"], [SECOND, "s"]]) {
    const number = Math.floor(left / unit + 1e-9);
    left -= number * unit;
    if (number) parts.push(`${number} ${name}`);
    else if (parts.length) break;
    if (parts.length === 2) break;
  }
  return `${parts.join(" ")} (${counted})`;
}

/** The ticks of the axis: [place, label, whether it is a larger one], at most so many as there is room for. */
function axisOf(clock, from, to, most) {
  if (!clock.length) {
    let step = 1;
    for (let n = 0; (to - from) / step > most; n++) step *= [2, 2.5, 2][n % 3];
    const found = [];
    const rest = Number(BigInt(clock.numbered(0)) % BigInt(step));
    for (let at = Math.ceil((from + rest) / step) * step - rest; at <= to; at += step) {
      found.push([at, clock.numbered(at), false]);
    }
    return found;
  }
  const span = (to - from) * clock.length;
  const step = STEPS.find((one) => span / one <= most);
  const left = clock.moment(from), right = clock.moment(to), found = [];
  const add = (local, label, isLarge) => {
    const at = local - clock.offset(local - clock.offset(local));
    if (at >= left && at <= right && at + clock.offset(at) === local) found.push([clock.tickAt(at), label, isLarge]);
  };
  const local = left + clock.offset(left);
  const end = right + Math.max(clock.offset(left), clock.offset(right));  // clocks may go back in between
  if (step) {
    for (let at = Math.floor(local / step) * step; at <= end; at += step) {
      const iso = new Date(at).toISOString(), isDay = at % DAY === 0;
      const label = isDay ? iso.slice(5, 10) : step < SECOND ? iso.slice(17, 23) : step < MINUTE ? iso.slice(11, 19)
        : iso.slice(11, 16);
      add(at, label, isDay && step < DAY);
    }
    return found;
  }
  const months = MONTHS.find((one) => span / (one * 30 * DAY) <= most) || MONTHS[MONTHS.length - 1];
  const first = new Date(local);
  let month = first.getUTCFullYear() * 12 + first.getUTCMonth();
  for (month -= month % months; ; month += months) {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    if (!(date.getTime() <= end)) return found;
    add(date.getTime(), date.toISOString().slice(0, months < 12 ? 7 : 4), month % 12 === 0 && months < 12);
  }
}

// --- the page -------------------------------------------------------------------------------------------

function start() {
  const began = performance.now();
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const canvas = element("canvas"), context = canvas.getContext("2d"), tip = element("tip");
  const scroller = element("scroller"), spacer = element("spacer"), search = element("search");
  const clock = clockOf(data.clock, data.begin);
  const length = Math.max(data.length, 1);
  const { starts, begins, ends } = barsOf(data.bars);
  const marks = summed(data.inputs.map((input) => input[1]));
  const gapBars = { begins: data.gaps.filter((_, n) => n % 2 === 0), ends: data.gaps.filter((_, n) => n % 2) };
  const earlier = new Set(data.earlier);
  const lowered = data.lanes.map((text) => text.toLowerCase());
  const view = { from: 0, to: length, top: 0, lane: -1, bar: -1 };
  let rows, lanes, width = 0, height = 0, side = 0, colours = {}, isDue = false, stretch = 1;
  const labels = new Map();
  const chart = { view, frames: 0, frame: 0, bars: 0, ready: 0, rows: () => rows.length, draw };
  globalThis.larsChart = chart;

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
    const span = Math.min(Math.max(to - from, Math.min(0.5, length)), length);
    view.from = Math.min(Math.max(from, 0), length - span);
    view.to = view.from + span;
    hide();
    due();
  }

  function zoom(factor, x = side + plot() / 2) {
    const part = Math.min(Math.max((x - side) / plot(), 0), 1), at = view.from + part * (view.to - view.from);
    const span = Math.min((view.to - view.from) * factor, length);
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
    for (const name of ["page", "text", "faint", "line", "band", "gap", "edge", "mark", "focus"]) {
      colours[name] = style.getPropertyValue(`--${name}`);
    }
    colours.bars = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => style.getPropertyValue(`--bar${n}`));
    due();
  }

  function find() {
    ({ rows, lanes } = rowsOf(data, lowered, search.value));
    const all = data.lanes.length, noun = all === 1 ? "atom" : "atoms";
    element("found").textContent = search.value ? `${lanes} of ${all} ${noun}` : `${all} ${noun}, ${begins.length} intervals`;
    view.lane = view.bar = -1;
    view.top = 0;
    hide();
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
    const text = data.lanes[lane], name = data.groups[group][0].replace(/\/\d+$/, "");
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
    drawGaps();
    context.restore();
    chart.frames++;
    chart.frame = performance.now() - at;
    chart.ready = chart.ready || performance.now() - began;
  }

  function drawGrid() {
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

  function drawGaps() {
    const seen = pixelsOf(gapBars.begins, gapBars.ends, 0, gapBars.begins.length, view.from, scale(), plot());
    for (let i = 0; i < seen.length; i += 2) {
      const x = side + Math.max(seen[i], 0), end = side + Math.min(seen[i + 1], plot());
      context.fillStyle = colours.gap;
      context.fillRect(x, AXIS, end - x, room());
    }
  }

  function drawRow([kind, number, group], place, y) {
    const isChosen = place === view.lane;
    context.font = kind === LANE ? "12px ui-monospace, Menlo, Consolas, monospace" : "600 12px system-ui, sans-serif";
    if (kind === GROUP || isChosen) {
      context.fillStyle = colours.band;
      context.fillRect(0, y, width, ROW);
    }
    context.fillStyle = kind === INPUT ? colours.faint : colours.text;
    const text = kind === LANE ? shortOf(number, group) : kind === GROUP ? data.groups[number][0] : `input ${data.inputs[number][0]}`;
    context.fillText(labelOf(text, side - 20), kind === LANE ? 14 : 6, y + ROW / 2);
    if (isChosen) {
      context.strokeStyle = colours.focus;
      context.strokeRect(0.5, y + 0.5, width - SCROLLER - 1, ROW - 1);
    }
    if (kind === INPUT) drawMarks(number, y);
    else if (kind === LANE) drawBars(number, group, isChosen, y);
  }

  function drawBars(lane, group, isChosen, y) {
    const seen = pixelsOf(begins, ends, starts[lane], starts[lane + 1], view.from, scale(), plot());
    context.fillStyle = colours.bars[group % colours.bars.length];
    for (let i = 0; i < seen.length; i += 2) {
      const x = Math.max(seen[i], 0), end = Math.min(seen[i + 1], plot());
      context.fillRect(side + x, y + 4, Math.max(end - x, 1), ROW - 8);
    }
    chart.bars += seen.length / 2;
    if (earlier.has(lane) && view.from === 0) {
      context.fillStyle = colours.edge;
      context.fillRect(side, y + 3, 2, ROW - 6);
    }
    const bar = isChosen ? view.bar : -1;
    if (bar >= 0 && ends[bar] > view.from && begins[bar] < view.to) {
      const x = Math.max(across(begins[bar]), side), end = Math.min(across(ends[bar]), side + plot());
      context.strokeStyle = colours.focus;
      context.strokeRect(x - 0.5, y + 2.5, Math.max(end - x, 2) + 1, ROW - 5);
    }
  }

  function drawMarks(input, y) {
    const low = marks.starts[input], high = marks.starts[input + 1], all = marks.all;
    const seen = pixelsOf(all, all, low, high, view.from - 1e-9, scale(), plot());
    context.fillStyle = colours.mark;
    for (let i = 0; i < seen.length; i += 2) {
      const x = Math.max(seen[i], 0), end = Math.min(seen[i + 1], plot());
      if (x < plot()) context.fillRect(side + x, y + 6, Math.max(Math.min(end - x, plot() - x), 1.5), ROW - 12);
    }
    chart.bars += seen.length / 2;
  }

  // --- what is under the pointer ------------------------------------------------------------------------

  /** The bar of a lane that is nearest to a tick, within some pixels; -1 for none. */
  function barAt(lane, tick, pixels = 3) {
    const low = starts[lane], high = starts[lane + 1], near = pixels / scale();
    const after = above(begins, tick, low, high);
    const distance = (i) => Math.max(begins[i] - tick, tick - ends[i], 0);
    const best = [after - 1, after].filter((i) => i >= low && i < high).sort((a, b) => distance(a) - distance(b))[0];
    return best !== undefined && distance(best) <= near ? best : -1;
  }

  function linesOfBar(lane, bar) {
    const begin = begins[bar], end = ends[bar];
    const isEarlier = earlier.has(lane) && bar === starts[lane], isOpen = end === data.length;
    return [data.lanes[lane], `${isEarlier ? "begun before" : "begin"}  ${clock.text(begin)}`,
      isOpen ? `holds to the end, ${clock.text(end)}` : `end  ${clock.text(end)}`,
      `duration  ${isEarlier || isOpen ? "at least " : ""}${durationOf(end - begin, clock)}`];
  }

  function linesAt(x, y) {
    const place = Math.floor((y - AXIS + view.top) / ROW);
    if (y < AXIS || place >= rows.length) return null;
    const [kind, number] = rows[place], tick = view.from + (x - side) / scale();
    if (x < side) {
      if (kind === LANE) return [data.lanes[number], count(starts[number + 1] - starts[number], "interval")];
      return kind === GROUP ? [data.groups[number][0], count(data.groups[number][1], "atom")] : [`input ${data.inputs[number][0]}`];
    }
    if (kind === LANE) {
      const bar = barAt(number, tick);
      if (bar >= 0) return linesOfBar(number, bar);
    }
    if (kind === INPUT) {
      const low = marks.starts[number], high = marks.starts[number + 1];
      const after = above(marks.all, tick, low, high);
      const best = [after - 1, after].filter((i) => i >= low && i < high)
        .sort((a, b) => Math.abs(marks.all[a] - tick) - Math.abs(marks.all[b] - tick))[0];
      if (best !== undefined && Math.abs(marks.all[best] - tick) * scale() <= 4) {
        return [`input ${data.inputs[number][0]}`, count(data.inputs[number][2][best - low], "fact"), clock.text(marks.all[best])];
      }
    }
    const gap = above(gapBars.begins, tick, 0, gapBars.begins.length) - 1;
    if (gap >= 0 && tick < gapBars.ends[gap]) {
      const begin = gapBars.begins[gap], end = gapBars.ends[gap];
      return ["no answer stream", `begin  ${clock.text(begin)}`, `end  ${clock.text(end)}`, durationOf(end - begin, clock)];
    }
    return null;
  }

  const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

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

  // --- the pointer and keys -----------------------------------------------------------------------------

  const pointers = new Map();
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, placeOf(event));
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
    if (pointers.size === 1) {
      const by = (before.x - here.x) / scale();
      look(view.from + by, view.to + by);
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
      pointers.delete(event.pointerId);
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
    const [kind, number] = rows[view.lane];
    const lines = linesAt(0, AXIS + y - view.top + 1);
    hide();
    element("said").textContent = lines ? lines.join(", ").slice(0, 300) : "";
    if (kind === LANE) view.bar = above(ends, view.from, starts[number], starts[number + 1]) - 1;
    due();
  }

  function step(by) {  // to the next or the previous interval of the chosen lane
    const row = rows[view.lane];
    if (!row || row[0] !== LANE) return;
    const lane = row[1], bar = view.bar + by;
    if (bar < starts[lane] || bar >= starts[lane + 1]) return;
    const span = view.to - view.from, outside = begins[bar] < view.from || begins[bar] >= view.to;
    if (outside) look(begins[bar] - span / 4, begins[bar] + (3 * span) / 4);
    view.bar = bar;
    const lines = linesOfBar(lane, bar);
    show(lines, across(begins[bar]), AXIS + view.lane * ROW - view.top + ROW);
    element("said").textContent = lines.join(", ").slice(0, 300);
    due();
  }

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const span = view.to - view.from, page = Math.max(1, Math.floor(room() / ROW) - 1);
    const acts = {
      "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1 / 0.7), "0": () => look(0, length),
      ArrowLeft: () => look(view.from - span / 8, view.to - span / 8),
      ArrowRight: () => look(view.from + span / 8, view.to + span / 8),
      Home: () => look(0, span), End: () => look(length - span, length),
      ArrowDown: () => choose(view.lane + 1), ArrowUp: () => choose(view.lane - 1),
      PageDown: () => choose(view.lane + page), PageUp: () => choose(view.lane - page),
      n: () => step(1), p: () => step(-1), Escape: hide, "/": () => search.focus(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  });
  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => { if (event.key === "Enter") canvas.focus(); });
  element("in").addEventListener("click", () => zoom(0.5));
  element("out").addEventListener("click", () => zoom(2));
  element("all").addEventListener("click", () => look(0, length));
  element("title").textContent = data.title;
  element("title").hidden = !data.title;
  canvas.setAttribute("aria-label", `when each of ${data.lanes.length} atoms held`);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  new ResizeObserver(() => { measure(); draw(); }).observe(canvas);
  find();
  measure();
  recolour();
}

if (typeof document !== "undefined") start();
