// The page of a chart: its data is embedded in it, and does not change.

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

/** The source of a view: see `laneView`. */
function sourceOf(data) {
  const { starts, begins, ends } = barsOf(data.bars);
  const marks = summed(data.inputs.map((input) => input[1])), earlier = new Set(data.earlier);
  const length = Math.max(data.length, 1);
  const lanes = data.lanes.map((text, n) => ({
    text, lowered: text.toLowerCase(), begins, ends, low: starts[n], high: starts[n + 1], earlier: earlier.has(n),
  }));
  let place = 0;
  return {
    clock: clockOf(data.clock, data.begin),
    groups: data.groups.map(([name, size]) => ({ name, lanes: lanes.slice(place, place += size) })),
    inputs: data.inputs.map(([name, , counts], n) => {
      const low = marks.starts[n];
      return { name, ticks: marks.all.subarray(low, marks.starts[n + 1]), counts, low: 0, high: counts.length };
    }),
    gaps: { begins: data.gaps.filter((_, n) => n % 2 === 0), ends: data.gaps.filter((_, n) => n % 2) },
    missed: { begins: [], ends: [] },
    bounds: () => [0, length],
    last: () => data.length,
    intervals: begins.length,
  };
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent), source = sourceOf(data);
  const all = data.lanes.length;
  document.getElementById("title").textContent = data.title;
  document.getElementById("title").hidden = !data.title;
  document.getElementById("canvas").setAttribute("aria-label", `when each of ${all} atoms held`);
  globalThis.larsChart = laneView(source, {
    summary: (lanes, isSearch) => (isSearch ? `${lanes} of ${count(all, "atom")}` : `${count(all, "atom")}, ${source.intervals} intervals`),
  });
}

if (typeof document !== "undefined") start();
