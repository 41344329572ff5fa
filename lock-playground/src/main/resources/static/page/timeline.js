/** Draws a run: one lane per thread, grouped by instance, below a strip that counts concurrent work. */
const NAMESPACE = 'http://www.w3.org/2000/svg';
const STRIP = 34;
/** Of two lines of marks, below the count of concurrent work. */
const MARKS = 16;
const GROUP = 18;
const AXIS = 16;
/** The lowest row that has labels, and the lowest of all. */
const READABLE = 6.5;
const LOWEST = 3;

/** @param length the time, in microseconds, that the width stands for: the same for all pictures of a page */
export function draw(run, length, width, room, words) {
  const strip = run.marksWithin.length > 0 ? STRIP + MARKS : STRIP;
  const lanes = lanesOf(run);
  const count = [...lanes.values()].reduce((sum, threads) => sum + threads.length, 0);
  const lane = laneHeight(count, room - strip - AXIS - lanes.size * GROUP - 14);
  const labels = width < 480 ? 46 : 62;
  const [begin] = run.span;
  const x = moment => labels + (moment - begin) / length * (width - labels - 8);
  const height = strip + AXIS + lanes.size * GROUP + count * lane + 4;
  const svg = element('svg', {
    class: lane < 10 ? 'timeline small' : 'timeline', viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': words.label,
  });
  svg.append(hatch());
  drawCrowd(svg, run, x, strip, words);
  drawAxis(svg, run, begin + length, x, strip, height);

  const place = new Map();
  let y = strip + AXIS;
  for (const [instance, threads] of lanes) {
    svg.append(element('text', { class: 'group', x: 0, y: y + 13 }, instance));
    y += GROUP;
    for (const thread of threads) {
      place.set(`${instance} ${thread}`, y);
      svg.append(element('rect', { class: 'lane', x: labels, y, width: width - labels - 8, height: Math.max(1, lane - 2), rx: 2 }));
      if (lane >= READABLE) {
        svg.append(element('text', { class: 'label', x: 0, y: y + baseline(lane) }, shortThread(thread)));
      }
      y += lane;
    }
  }
  const laneOf = visit => place.get(`${visit.instance} ${visit.thread}`);
  drawOrphans(svg, run, x, laneOf, lane, words);
  drawWaits(svg, run, x, laneOf, lane, words);
  drawHandOvers(svg, run, x, laneOf, lane);
  drawSections(svg, run, x, laneOf, lane, words);
  drawClashes(svg, run, x, laneOf, lane, words);
  drawMarks(svg, run, x, strip, height, width, words);
  return svg;
}

/** All rows of both instances are in sight. */
function laneHeight(count, room) {
  const ample = count <= 16 ? 18 : count <= 40 ? 13 : count <= 90 ? 10 : 5;
  return Math.min(ample, Math.max(LOWEST, Math.floor(2 * room / count) / 2));
}

const baseline = lane => lane / 2 + 2.5;

/** The threads of each instance, in the order of their first request. */
function lanesOf(run) {
  const lanes = new Map((run.burst?.instances ?? []).map(instance => [instance, []]));
  for (const visit of run.all) {
    if (!lanes.has(visit.instance)) {
      lanes.set(visit.instance, []);
    }
    const threads = lanes.get(visit.instance);
    if (!threads.includes(visit.thread)) {
      threads.push(visit.thread);
    }
  }
  return lanes;
}

function drawCrowd(svg, run, x, strip, words) {
  const crowd = run.crowd;
  const highest = Math.max(2, run.most);
  const clashing = run.clashingTimes;
  crowd.forEach(([moment, count], i) => {
    const until = crowd[i + 1]?.[0] ?? moment;
    if (count > 0 && until > moment) {
      const size = count / highest * (STRIP - 14);
      const over = clashing.some(([from, to]) => from < until && to > moment);
      svg.append(element('rect', {
        class: over ? 'crowd over' : 'crowd', x: x(moment), y: strip - size, width: Math.max(.5, x(until) - x(moment)), height: size,
      }));
    }
  });
  if (!run.isExample) {
    svg.append(element('text', { x: 0, y: 9 }, words.crowd(run.most, run.length)));
  }
}

function drawAxis(svg, run, end, x, strip, height) {
  const [begin] = run.span;
  const step = niceStep((end - begin) / 4);
  for (let moment = 0; moment <= end - begin; moment += step) {
    const at = x(begin + moment);
    svg.append(element('line', { class: 'axis', x1: at, x2: at, y1: strip, y2: height }));
    if (run.isExample || at > x(end) - 44) {
      continue;
    }
    svg.append(element('text', { x: at + 3, y: strip + 11 }, step < 1e6 ? `${Math.round(moment / 1e3)} ms` : `${moment / 1e6} s`));
  }
}

function drawWaits(svg, run, x, laneOf, lane, words) {
  const [, end] = run.span;
  for (const visit of run.all) {
    const until = visit.sections[0]?.entered ?? visit.seen ?? visit.answered ?? end;
    const y = laneOf(visit);
    if (visit.sections.length === 0 && visit.answered > until) {
      svg.append(bar('unknown', x(until), y + 1, x(visit.answered) - x(until), Math.max(2, lane - 4), words.unknown(visit)));
    }
    svg.append(bar('wait', x(visit.asked), y + lane * .2, x(until) - x(visit.asked), lane * .5, words.wait(visit, until - visit.asked)));
    if (visit.sections.length === 0 && visit.code > 0) {
      const sign = element('text', { class: 'unserved', x: x(visit.answered) - 4, y: y + baseline(lane) + 1 }, '×');
      sign.append(element('title', {}, words.unserved(visit)));
      svg.append(sign);
    }
  }
}

function drawSections(svg, run, x, laneOf, lane, words) {
  const rank = ranks(run);
  for (const section of run.sections) {
    const y = laneOf(section.visit);
    const width = x(section.left) - x(section.entered);
    const size = Math.max(2, lane - 2);
    svg.append(bar(section.shared ? 'read' : 'work', x(section.entered), y, width, size, words.work(section)));
    if (section.until > section.left) {
      svg.append(bar('unknown', x(section.left), y + 1, x(section.until) - x(section.left), Math.max(2, size - 2), words.unknown(section.visit)));
    }
    if (rank.has(section) && lane >= READABLE) {
      svg.append(token(rank.get(section), x(section.entered), x(section.left), y + baseline(lane)));
    }
  }
}

/** Draws the token inside its bar if that is wide enough, otherwise beside it. */
function token(label, from, to, y) {
  const size = 6 * label.length;
  if (to - from >= size + 5) {
    return element('text', { class: 'token', x: from + 3, y }, label);
  }
  const beside = from > size + 90 ? from - size - 3 : to + 3;
  return element('text', { class: 'token beside', x: beside, y }, label);
}

function drawClashes(svg, run, x, laneOf, lane, words) {
  const drawn = new Map();
  for (const [section, from, to] of run.clashes) {
    const known = drawn.get(section);
    drawn.set(section, known ? [Math.min(known[0], from), Math.max(known[1], to)] : [from, to]);
  }
  for (const [section, [from, to]] of drawn) {
    svg.append(bar('clash', x(from), laneOf(section.visit), x(to) - x(from), Math.max(2, lane - 2), words.clash(section)));
  }
}

/** Draws locks whose holder was killed, until the next one gets them. */
function drawOrphans(svg, run, x, laneOf, lane, words) {
  const [, end] = run.span;
  for (const takeover of run.takeovers) {
    const { from, to, at } = takeover;
    svg.append(bar('orphan', x(at), laneOf(from.visit), x(to?.entered ?? end) - x(at), Math.max(2, lane - 2), words.orphan(takeover)));
  }
}

/** Draws what happened to servers and instances as vertical lines across all lanes. */
function drawMarks(svg, run, x, strip, height, width, words) {
  for (const [i, mark] of run.marksWithin.entries()) {
    const at = x(mark.at);
    const label = words.mark(mark);
    svg.append(element('line', { class: mark.what.startsWith('kill') ? 'mark kill' : 'mark', x1: at, x2: at, y1: strip - 14, y2: height }));
    svg.append(element('text', { class: 'mark', x: Math.max(0, Math.min(at + 4, width - widthOf(label) - 4)), y: strip - 6 - 13 * (i % 2) }, label));
  }
}

/** About: Chinese characters are wider. */
export const widthOf = label => [...label].reduce((sum, letter) => sum + (letter > '\u2e80' ? 10.5 : 6.5), 0);

function drawHandOvers(svg, run, x, laneOf, lane) {
  for (const [earlier, later] of run.handOvers) {
    const from = [x(earlier.left), laneOf(earlier.visit) + lane / 2 - 1];
    const to = [x(later.entered), laneOf(later.visit) + lane / 2 - 1];
    const bend = (to[0] - from[0]) / 2;
    svg.append(element('path', {
      class: 'hand', d: `M${from} C${[from[0] + bend, from[1]]} ${[to[0] - bend, to[1]]} ${to}`,
    }));
  }
}

/**
 * The number of each hold: by fencing token if there is only one lock. Tokens of different locks cannot be compared; then by
 * start time.
 */
export function ranks(run) {
  const holdings = run.sections.filter(section => section.locks.length > 0);
  const names = new Set(holdings.flatMap(section => section.locks.map(lock => lock.name)));
  if (names.size === 1) {
    holdings.sort((a, b) => compare(BigInt(a.locks[0].token), BigInt(b.locks[0].token)));
  }
  return new Map(holdings.map((section, i) => [section, `#${i + 1}`]));
}

const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;

export function shortThread(thread) {
  return thread.replace(/^http-nio-.*-(?=exec-)/, '');
}

export function bar(kind, x, y, width, height, title) {
  const fill = kind === 'clash' ? { fill: 'url(#hatch)' } : {};
  const rect = element('rect', { class: kind, ...fill, x, y, width: Math.max(1, width), height, rx: Math.min(2, height / 2) });
  rect.append(element('title', {}, title));
  return rect;
}

function hatch() {
  const pattern = element('pattern', { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' });
  pattern.append(element('rect', { id: 'hatch-back', width: 6, height: 6 }), element('line', { id: 'hatch-line', x1: 0, y1: 0, x2: 0, y2: 6 }));
  const definitions = element('defs', {});
  definitions.append(pattern);
  return definitions;
}

export function niceStep(raw) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, raw)));
  return [1, 2, 5, 10].map(factor => factor * unit).find(step => step >= raw);
}

export function element(name, attributes, content) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (content !== undefined) {
    made.textContent = content;
  }
  return made;
}
