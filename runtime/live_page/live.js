// The live page: frames come by server-sent events, the lanes move with time, and a click asks why.

const CHANGE = 0, NEW_LANE = 1, PREDICATE = 2, NEW_INPUT = 3, MARK = 4, GAP = 5, MISSED = 6;
const MOST_LISTED = 300, MOST_RATES = 600, MOST_REFUSED = 100, MOST_MARKS = 10000, LIST_MS = 250, SWEEP_MS = 1000, SORT_MS = 300, RATE_MS = 1000, RETRY_MS = 2000;
const SHOWN_TICKS = 600;  // at first; of a run that is over all

const byText = new Intl.Collator("en", { numeric: true });

/** What the page shows, as a source of `laneView`; it holds no more than the server does. */
class Board {
  constructor() {
    this.inputs = []; this.groups = []; this.lanes = new Map();
    this.gaps = { begins: [], ends: [] }; this.missed = { begins: [], ends: [] };
    this.first = 0; this.tick = null; this.clock = clockOf(null, "0"); this.holding = new Set();
    this.rates = []; this.refused = []; this.counted = null; this.unsorted = new Set(); this.intervals = 0;
  }

  bounds() { return [this.first, Math.max(this.last(), this.first + 1)]; }
  last() { return this.tick === null ? this.first : this.tick + 1; }

  /** Takes all that there is. */
  whole(data) {
    this.head(data);
    this.inputs = data.inputs.map(([name, ticks, counts]) => ({ name, ticks, counts, low: 0, high: ticks.length }));
    this.groups = data.predicates.map((name) => ({ name, lanes: [] }));
    for (const [number, group, text, earlier, begins, ends] of data.lanes) {
      if (ends.length < begins.length) ends.push(Infinity);
      this.add(number, group, text, earlier, begins, ends);
    }
    data.gaps.forEach((tick, n) => (n % 2 ? this.gaps.ends : this.gaps.begins).push(tick));
    if (data.gaps.length % 2) this.gaps.ends.push(Infinity);
    for (const [begin, end] of data.missed) { this.missed.begins.push(begin); this.missed.ends.push(end); }
    this.rates = data.rates; this.refused = data.refused;
    this.sort();
  }

  /** Takes what changed. */
  more(data) {
    this.head(data);
    for (const one of data.news) this.news(one);
    if (data.rates) this.rates = [...this.rates, ...data.rates].slice(-MOST_RATES);
    if (data.refused) this.refused = [...this.refused, ...data.refused].slice(-MOST_REFUSED);
  }

  head(data) {
    this.first = data.first; this.tick = data.tick; this.satisfiable = data.satisfiable;
    if (data.clock !== undefined) this.clock = clockOf(data.clock, "0");
    if (data.counted) this.counted = data.counted;
  }

  add(number, group, text, earlier, begins, ends) {
    const lane = { number, group, text, lowered: text.toLowerCase(), earlier, begins, ends, low: 0, high: begins.length };
    this.lanes.set(number, lane);
    this.groups[group].lanes.push(lane);
    this.unsorted.add(group);
    this.intervals += lane.high;
    if (ends[ends.length - 1] === Infinity) this.holding.add(lane);
  }

  news([kind, one, two, three]) {
    if (kind === CHANGE) this.change(this.lanes.get(one), two);
    else if (kind === NEW_LANE) this.add(one, two, three, false, [], []);
    else if (kind === PREDICATE) this.groups.push({ name: one, lanes: [] });
    else if (kind === NEW_INPUT) this.inputs.push({ name: one, ticks: [], counts: [], low: 0, high: 0 });
    else if (kind === MARK) this.mark(this.inputs[one], two, three);
    else if (kind === GAP) this.gap(one);
    else if (kind === MISSED) { this.missed.begins.push(one); this.missed.ends.push(two); }
  }

  change(lane, tick) {
    if (!lane) return;
    if (lane.high && lane.ends[lane.high - 1] === Infinity) {
      lane.ends[lane.high - 1] = tick;
      this.holding.delete(lane);
    } else {
      lane.begins.push(tick);
      lane.ends.push(Infinity);
      lane.high++;
      this.intervals++;
      this.holding.add(lane);
    }
  }

  mark(input, tick, number) {
    if (input.high && input.ticks[input.high - 1] === tick) input.counts[input.high - 1] += number;
    else { input.ticks.push(tick); input.counts.push(number); input.high++; }
    if (input.high > 2 * MOST_MARKS) this.cut(input, MOST_MARKS);
  }

  cut(input, number) { input.ticks.splice(0, number); input.counts.splice(0, number); input.high -= number; }

  gap(tick) {
    const { begins, ends } = this.gaps;
    if (ends.length && ends[ends.length - 1] === Infinity) ends[ends.length - 1] = tick;
    else { begins.push(tick); ends.push(Infinity); }
  }

  /** Forgets what lies before the first tick that is shown; whether lanes have gone. */
  sweep() {
    let gone = false;
    for (const lane of this.lanes.values()) {
      let number = 0;
      while (number < lane.high && lane.ends[number] <= this.first) number++;
      if (!number) continue;
      lane.begins.splice(0, number); lane.ends.splice(0, number);
      lane.high -= number; this.intervals -= number; lane.earlier = false;
      if (!lane.high) {
        this.lanes.delete(lane.number);
        gone = lane.isGone = true;
      }
    }
    if (gone) for (const group of this.groups) group.lanes = group.lanes.filter((lane) => !lane.isGone);
    for (const input of this.inputs) {
      const number = above(input.ticks, this.first - 1, 0, input.high);
      if (number) this.cut(input, number);
    }
    for (const spans of [this.gaps, this.missed]) {
      while (spans.ends.length && spans.ends[0] <= this.first) { spans.begins.shift(); spans.ends.shift(); }
    }
    return gone;
  }

  sort() {
    for (const group of this.unsorted) this.groups[group].lanes.sort((a, b) => byText.compare(a.text, b.text));
    this.unsorted.clear();
  }
}

function startLive() {
  const element = (id) => document.getElementById(id);
  let board = new Board(), view = null, isOver = false, explains = false, asked = 0;
  /** What `laneView` looks at: always the board of now. */
  const source = {
    get inputs() { return board.inputs; }, get groups() { return board.groups; }, get gaps() { return board.gaps; },
    get missed() { return board.missed; }, get clock() { return board.clock; },
    bounds: () => board.bounds(), last: () => board.last(),
  };
  const live = { frames: 0, at: 0, board: () => board, view: () => view };
  globalThis.larsLive = live;

  // --- frames -------------------------------------------------------------------------------------------

  let events = null;
  function lost() {
    say("lost", "connection lost, trying again");
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
  }

  function connect() {
    events = new EventSource("/frames");
    events.addEventListener("whole", (event) => {
      const data = JSON.parse(event.data), isFirst = view === null;
      board = new Board();
      board.whole(data);
      explains = data.explains;
      element("title").textContent = data.title;
      document.title = data.title;
      taken(data);
      if (isFirst) begin(data.over); else { view.marks.clear(); view.windows.clear(); view.find(false); }
    });
    events.addEventListener("more", (event) => {
      const data = JSON.parse(event.data);
      board.more(data);
      taken(data);
    });
    events.onerror = () => {
      if (isOver) events.close(); else lost();
    };
  }

  function taken(data) {
    isOver = data.over;
    live.at = data.at;
    live.frames++;
    say(isOver ? "over" : "live", isOver ? "the run is over" : board.satisfiable ? "live" : "no answer stream");
    element("now").textContent = board.tick === null ? "" : board.clock.text(board.tick);
    if (!view) return;
    if (view.view.follows) view.follow(); else view.due();
    later("list", LIST_MS, listed);
    later("sweep", SWEEP_MS, () => { if (board.sweep()) again(); });
    if (board.unsorted.size) later("sort", SORT_MS, again);
    if (data.counted || data.refused) later("rates", RATE_MS, counted);
  }

  function again() {
    board.sort();
    view.find(false);
  }

  const waiting = new Map();
  function later(name, milliseconds, act) {  // once, however often it is asked for meanwhile
    if (waiting.has(name)) return;
    waiting.set(name, setTimeout(() => { waiting.delete(name); act(); }, milliseconds));
  }

  function say(state, words) {
    element("state").dataset.state = state;
    element("state").textContent = words;
  }

  function begin(isAll) {
    view = laneView(source, {
      isLive: true,
      summary: (lanes, isSearch) => (isSearch ? `${lanes} of ` : "") + `${count(board.lanes.size, "atom")}, ${board.intervals} intervals`,
      pick: (lane, tick) => ask({ lane: lane.number, tick: tick === null ? "" : tick }, lane.text),
    });
    globalThis.larsChart = view;
    view.follow(isAll ? Infinity : SHOWN_TICKS);
    listed();
    counted();
  }

  // --- what holds, what came, what it cost ----------------------------------------------------------------

  const isShown = (id) => !element(id).hidden;

  function rowOf(...cells) {
    const row = part("tr");
    row.append(...cells.map(([name, text]) => part("td", name, text)));
    return row;
  }

  function tableOf(heads, rows) {
    const table = part("table"), head = part("tr");
    head.append(...heads.map((text) => part("th", text.startsWith(" ") ? "number" : "", text.trim())));  // to the right
    table.append(head, ...rows);
    return table;
  }

  function listed() {  // what holds, the latest first
    element("follow").setAttribute("aria-pressed", view.view.follows);
    if (!isShown("holds")) return;
    const wanted = element("search").value.toLowerCase(), since = (lane) => lane.begins[lane.high - 1];
    let found = [...board.holding].filter((lane) => !wanted || lane.lowered.includes(wanted));
    const number = found.length;
    if (number > 2 * MOST_LISTED) found = found.slice(-2 * MOST_LISTED);  // those that began last are at the end
    found = found.sort((a, b) => since(b) - since(a) || byText.compare(a.text, b.text)).slice(0, MOST_LISTED);
    const rows = found.map((lane) => {
      const row = rowOf(["atom", lane.text.slice(0, 300)], ["number", shortTime(since(lane))], ["number", durationOf(board.last() - since(lane), board.clock).replace(/ \(.*/, "")]);
      row.addEventListener("click", () => { view.reveal(lane); ask({ lane: lane.number, tick: "" }, lane.text); });
      return row;
    });
    const words = number ? `${count(number, "atom")} ${number === 1 ? "holds" : "hold"} now` : "nothing holds now";
    const parts = [part("p", "quiet", board.satisfiable === false ? "no answer stream" : words)];
    if (rows.length) parts.push(tableOf(["", " since", " for"], rows));
    if (number > rows.length) parts.push(part("p", "quiet", `and ${number - rows.length} more: search for them`));
    element("holds").replaceChildren(...parts);
  }

  function shortTime(tick) {
    const text = board.clock.text(tick);
    return board.clock.length ? text.slice(0, 19).replace("T", " ") : text;
  }

  let plot = null;
  function counted() {
    const found = board.counted;
    if (isShown("cost")) element("cost").replaceChildren(...costs(found));
    if (!isShown("input")) return;
    const data = [0, 1, 3, 2].map((place) => board.rates.map((rate) => (place ? rate[place] : rate[0] / 1000)));
    if (plot) plot.setData(data); else plot = plotted(data);
    const rows = found ? [["tick", found.tick], ["facts", found.facts], ["merged", found.merged], ["ticks", found.ticks], ["waiting", found.waiting],
      ["lag", found.lag_seconds === null ? "\u2013" : `${found.lag_seconds.toFixed(2)} s`], ["rejected", found.rejected], ["late", found.late], ["unfit", found.unfit],
      ["memory", `${Math.round(found.memory / 2 ** 20)} MiB`],
      ...found.input_times.map((one) => [one.name, `${one.tick === null ? "\u2013" : one.tick}${one.is_left_out ? ", not waited for" : ""}`]),
      ...Object.entries(found.inputs).map(([name, counts]) => [name, recordsOf(counts)])] : [];
    element("counts").replaceChildren(...rows.flatMap(([name, value]) => [part("dt", "", name), part("dd", "", String(value))]));
    const refused = board.refused.map(([where, reason, text]) => {
      const made = part("p");
      made.append(part("span", "where", `${where}: `), part("span", "", reason), part("code", "", text));
      return made;
    }).reverse();
    element("refused").replaceChildren(...(refused.length ? refused : [part("p", "quiet", "none")]));
  }

  function recordsOf(counts) {  // what became of the records of an input
    return Object.entries(counts).filter(([name, number]) => number || name === "gave_facts").map(([name, number]) => `${number} ${name.replace("_", " ")}`).join(", ");
  }

  function costs(found) {
    if (!found || !found.components.length) return [part("p", "quiet", "nothing was evaluated yet")];
    const all = found.components.reduce((sum, one) => sum + one.seconds, 0);
    const rows = found.components.map((one) => rowOf(["atom", one.predicates], ["name", one.evaluator], ["number", one.steps],
      ["number", `${one.seconds.toFixed(2)} s`], ["number", all ? `${Math.round((100 * one.seconds) / all)} %` : ""]));
    const parts = [part("p", "quiet", "Components of the program, lowest first."), tableOf(["derives", "by", " ticks", " took", ""], rows)];
    if (!found.rules.length) return parts;
    const rules = found.rules.map((one) => rowOf(["atom", one.text], ["name", one.place], ["number", one.evaluations],
      ["number", one.others === null ? one.changes : "-"], ["number", one.others === null ? one.rows : "-"], ["number", one.held],
      ["number", `${one.seconds.toFixed(2)} s${one.others ? "*" : ""}`]));
    parts.push(part("p", "quiet", "Rules, those that took most time first; times are sampled."
      + (found.rules.some((one) => one.others) ? " (* of all rules that clingo evaluates together)" : "")));
    parts.push(tableOf(["rule", "at", " evaluated", " changes", " rows", " held", " took"], rules));
    if (found.number_of_rules > rules.length) parts.push(part("p", "quiet", `and ${found.number_of_rules - rules.length} more`));
    return parts;
  }

  function plotted(data) {
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const axis = { stroke: colour("faint"), grid: { stroke: colour("line") }, ticks: { stroke: colour("line") } };
    const series = (label, name) => ({ label, stroke: colour(name), width: 1.5, points: { show: false } });
    return new uPlot({
      width: Math.max(200, element("rates").clientWidth), height: 170, cursor: { drag: { x: false, y: false } },
      series: [{ label: "at", value: (_, at) => (at ? new Date(at * 1000).toTimeString().slice(0, 8) : "\u2013") }, series("facts/s", "bar0"), series("changes/s", "bar1"), series("ticks/s", "bar2")],
      axes: [{ ...axis, space: 70, values: (_, seconds) => seconds.map((at) => new Date(at * 1000).toTimeString().slice(0, 8)) }, { ...axis, size: 56 }], scales: { y: { range: (_, low, high) => [0, Math.max(high || 0, 1)] } },
    }, data, element("rates"));
  }

  // --- questions ----------------------------------------------------------------------------------------

  async function ask(question, words) {
    open("why");
    const number = ++asked, answer = element("answer");
    if (!explains) { answer.replaceChildren(part("p", "quiet", "This run keeps nothing for explanations.")); return; }
    answer.replaceChildren(part("p", "quiet", `why ${words.slice(0, 300)}?`));
    let found;
    try {
      found = await (await fetch(`/why?${new URLSearchParams(question)}`)).json();
    } catch {
      found = { error: "the page has lost its connection" };
    }
    if (number !== asked) return;
    view.marks.clear();
    view.windows.clear();
    if (found.error) answer.replaceChildren(part("p", "fails", found.error));
    else {
      answer.replaceChildren(...explanationOf(found));
      element("atom").value = found.atom.slice(0, 300);
      element("tick").value = board.clock.length ? board.clock.text(found.tick) : found.tick;
      for (const { kind, number: place, window, runs } of found.marks) {
        const what = kind === "input" ? board.inputs[place] : board.lanes.get(place);
        if (!what) continue;
        const to = window ? view.windows : view.marks;
        to.set(what, [...(to.get(what) || []), ...runs]);
      }
    }
    view.due();
  }

  element("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    const atom = element("atom").value.trim();
    if (atom) ask({ atom, tick: element("tick").value.trim() }, atom);
  });

  // --- tabs and buttons ---------------------------------------------------------------------------------

  const tabs = ["holds", "why", "input", "cost"];
  function open(chosen) {
    for (const name of tabs) {
      element(name).hidden = name !== chosen;
      element(`tab-${name}`).setAttribute("aria-selected", name === chosen);
    }
    if (!view) return;
    if (chosen === "holds") listed(); else if (chosen !== "why") counted();
  }
  for (const name of tabs) element(`tab-${name}`).addEventListener("click", () => open(name));
  element("follow").addEventListener("click", () => { view.follow(Math.min(view.view.span, SHOWN_TICKS)); listed(); });
  element("search").addEventListener("input", () => later("list", LIST_MS, listed));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (plot) { plot.destroy(); plot = null; counted(); }
  });
  connect();
}

if (typeof document !== "undefined") startLive();
