"use strict";
// Ticks as times, durations, and what stands on an axis. Shared by the page of a chart and the live page.

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND,
  30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR,
  6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000];

/** The first place from `low` at which a sorted list has more than a value. */
function above(list, value, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] > value) high = middle; else low = middle + 1;
  }
  return low;
}

const two = (n) => String(n).padStart(2, "0");

function clockOf(clock, begin) {
  const first = BigInt(begin);
  const numbered = (tick) => String(first + BigInt(Math.round(tick)));
  if (!clock) return { numbered, text: (tick) => `tick ${numbered(tick)}`, zone: "ticks" };
  const starts = clock.offsets.map((pair) => pair[0]);
  const offset = (at) => clock.offsets[Math.max(0, above(starts, at, 0, starts.length) - 1)][1] * MINUTE;
  const moment = (tick) => clock.begin + tick * clock.tick;
  const tickAt = (at) => (at - clock.begin) / clock.tick;
  if (clock.days) {  // as a local date, which has no offset, or a local time
    const text = (tick) => new Date(moment(Math.round(tick))).toISOString().slice(0, clock.begin % DAY ? 19 : 10);
    return { numbered, text, offset, moment, tickAt, zone: clock.zone, length: clock.tick };
  }
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
