import { ask, pause, query } from './api.js';
import { make } from './panel.js';
import { bar, element, niceStep, widthOf } from './timeline.js';
import { text } from './texts.js';

const POLL = 200;
const GUARDS = ['NONE', 'LOCK', 'DATABASE'];
const TONES = { wrong: 'bad', failed: 'bad', refused: 'good', lucky: 'warn' };
const STOCK = 1;

const MARKS = 13;
const AXIS = 15;
/** Of a lane: at least, and if the window leaves room. */
const LOW = 20;
const HIGH = 34;
const GAP = 6;
/** So wide are the names beside the lanes; in a narrow picture, they stand above them. */
const NAMES = 108;
const NARROW = 560;
/** For what became of it, right of the last bar. */
const OUTCOME = 92;

/** The scenario "A holder freezes": one item for each guard, two sellers of each, and one time axis for all. */
export class Freeze {
  constructor(root) {
    this.root = root;
    this.state = null;
    this.visits = [];
    this.now = 0;
    root.replaceChildren(...GUARDS.map(guard => make('article', { class: 'panel', id: `freeze-${guard}` })));
  }

  /** @param shown what has been shown before; null for nothing */
  show(shown) {
    this.state = shown?.state ?? null;
    this.visits = shown?.visits ?? [];
    this.now = shown?.now ?? 0;
    this.render();
  }

  get shown() {
    return { state: this.state, visits: this.visits, now: this.now };
  }

  /** Draws until all have been answered. */
  async follow(state) {
    for (;;) {
      this.state = state;
      this.render();
      if (state.finished) {
        return;
      }
      await pause(POLL);
      state = await ask(`freezes/${state.run}`);
      await this.look(state);
    }
  }

  /** A frozen instance tells nothing; what it has told before remains. */
  async look({ run, frozen, other }) {
    for (const instance of [frozen, other]) {
      const { answers, visits, now } = await ask(`timeline?${query({ instance, run })}`);
      if (answers) {
        this.visits = [...this.visits.filter(visit => visit.instance !== instance), ...visits.map(visit => ({ ...visit, instance }))];
      }
      this.now = now;
    }
  }

  /** The verdicts in words. */
  get words() {
    return GUARDS.map(guard => text('freeze.result', { guard: text(`freeze.${guard}`), verdict: text(`freeze.${this.judge(guard)}`) })).join(' ');
  }

  judge(guard) {
    const { finished, failure, sellers, frozen, other } = this.state;
    if (!finished) {
      return 'open';
    }
    if (failure) {
      return 'failed';
    }
    if (sellers[guard].length > STOCK) {
      return 'wrong';
    }
    const isRefused = sellers[guard].includes(other) && this.visit(guard, frozen)?.cause;
    return guard === 'DATABASE' && isRefused ? 'refused' : 'lucky';
  }

  visit(guard, instance) {
    return this.visits.find(visit => visit.instance === instance && visit.request.includes(`-${guard}/`));
  }

  get span() {
    const begin = Math.min(...this.visits.map(visit => visit.asked));
    const ends = this.visits.map(visit => visit.answered ?? this.now);
    return this.visits.length === 0 ? [0, 1e6] : [begin, Math.max(begin + 1e6, ...ends)];
  }

  render() {
    const panels = GUARDS.map(guard => this.root.querySelector(`#freeze-${guard}`));
    panels.forEach((panel, i) => panel.replaceChildren(this.header(GUARDS[i], panel)));
    // As high in all three as in the one that leaves least.
    const room = Math.min(...panels.map(panel => panel.clientHeight - panel.firstElementChild.offsetHeight - 26));
    const lane = Math.max(LOW, Math.min(HIGH, Math.floor((room - MARKS - AXIS) / 2) - GAP));
    panels.forEach((panel, i) => panel.append(this.picture(GUARDS[i], Math.max(280, panel.clientWidth - 32), lane)));
  }

  header(guard, panel) {
    const header = make('header');
    header.append(make('h3', {}, text(`freeze.${guard}`)));
    header.append(make('span', { class: 'said' }, this.said(guard)));
    panel.removeAttribute('data-state');
    if (this.state !== null) {
      const verdict = this.judge(guard);
      panel.dataset.state = verdict;
      header.append(make('span', { class: `verdict ${TONES[verdict] ?? ''}` }, text(`freeze.${verdict}`)));
    }
    if (guard === 'DATABASE') {
      // There from the beginning, so that nothing moves.
      header.append(make('p', { class: 'cause' }, this.state !== null && this.judge(guard) === 'refused' ? this.visit(guard, this.state.frozen).cause : ''));
    }
    return header;
  }

  /** Before the run, what is to come; after it, what is in the database. */
  said(guard) {
    const sellers = this.state?.sellers[guard];
    return sellers ? text('freeze.sold', { count: sellers.length, stock: STOCK }) : text(`freeze.hint.${guard}`);
  }

  picture(guard, width, lane) {
    const isNarrow = width < NARROW;
    const left = isNarrow ? 0 : NAMES;
    const row = lane + (isNarrow ? 16 : GAP);
    const height = MARKS + AXIS + 2 * row + 2;
    const [begin, end] = this.span;
    const x = moment => left + (moment - begin) / (end - begin) * (width - left - OUTCOME);
    const svg = element('svg', { class: 'timeline', viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': this.told(guard) });
    const step = niceStep((end - begin) / 4);
    for (let moment = 0; moment <= end - begin; moment += step) {
      const at = x(begin + moment);
      svg.append(element('line', { class: 'axis', x1: at, x2: at, y1: MARKS, y2: height }));
      svg.append(element('text', { x: at + 3, y: MARKS + 11 }, text('freeze.seconds', { seconds: moment / 1e6 })));
    }
    const lanes = this.sellers.map((seller, i) => ({ seller, y: MARKS + AXIS + (i + 1) * row - lane }));
    for (const { seller, y } of lanes) {
      svg.append(element('text', { class: 'group', x: 0, y: isNarrow ? y - 5 : y + middle(lane) }, seller));
      svg.append(element('rect', { class: 'lane', x: left, y, width: width - left - OUTCOME, height: lane, rx: 2 }));
    }
    this.drawMarks(svg, x, height);
    for (const { seller, y } of lanes) {
      const visit = this.visit(guard, seller);
      if (visit) {
        this.drawVisit(svg, guard, visit, x, y, lane);
      }
    }
    return svg;
  }

  get sellers() {
    return this.state === null ? [text('freeze.first'), text('freeze.second')] : [this.state.frozen, this.state.other];
  }

  drawVisit(svg, guard, visit, x, y, lane) {
    const [, end] = this.span;
    const { entered, left } = this.workOf(visit);
    const until = left ?? end;
    svg.append(bar('wait', x(visit.asked), y + lane * .25, x(entered ?? visit.answered ?? end) - x(visit.asked), lane * .5, text('freeze.waits')));
    if (entered !== undefined) {
      this.drawBar(svg, 'work', x(entered), x(Math.min(until, this.stopOf(visit))), y, lane, this.readBy(visit));
      if (this.stopOf(visit) < until) {
        const woken = Math.min(until, this.state.wokenAt ?? until);
        this.drawBar(svg, 'frozen', x(this.stopOf(visit)), x(woken), y, lane, text('freeze.frozen', { read: this.readBy(visit) }));
        this.drawBar(svg, 'work', x(woken), x(until), y, lane, '');
      }
    }
    const outcome = this.outcomeOf(guard, visit);
    if (outcome) {
      const tone = outcome === 'sold' || outcome === 'refused' ? 'good' : 'bad';
      svg.append(element('text', { class: `outcome ${tone}`, x: x(visit.answered) + 6, y: y + middle(lane) }, text(`freeze.outcome.${outcome}`)));
    }
  }

  drawBar(svg, kind, from, to, y, lane, label) {
    svg.append(bar(kind, from, y, to - from, lane, label));
    if (to - from > widthOf(label) + 6) {
      svg.append(element('text', { class: kind === 'work' ? 'token' : 'label', x: from + 5, y: y + middle(lane) }, label));
    }
  }

  workOf(visit) {
    const [section] = visit.sections;
    return { entered: section?.entered, left: section?.left };
  }

  stopOf(visit) {
    return visit.instance === this.state.frozen ? this.state.stoppedAt ?? Infinity : Infinity;
  }

  /** What it has read follows from what it did: it sells only what it has seen. */
  readBy(visit) {
    return text('freeze.read', { count: visit.code === 13 ? 0 : STOCK });
  }

  /** Undefined as long as it is not known. */
  outcomeOf(guard, visit) {
    const sellers = this.state.sellers[guard];
    if (!sellers || visit.answered === null) {
      return undefined;
    }
    if (sellers.includes(visit.instance)) {
      return sellers.length > STOCK && visit.instance === this.state.frozen ? 'again' : 'sold';
    }
    return visit.code === 13 ? 'soldOut' : visit.cause && guard === 'DATABASE' ? 'refused' : 'failed';
  }

  drawMarks(svg, x, height) {
    const { stoppedAt = null, wokenAt = null } = this.state ?? {};
    for (const [what, at] of [['stopped', stoppedAt], ['woken', wokenAt]].filter(([, moment]) => moment !== null)) {
      svg.append(element('line', { class: what === 'stopped' ? 'mark kill' : 'mark', x1: x(at), x2: x(at), y1: MARKS, y2: height }));
      svg.append(element('text', { class: 'mark', x: x(at), y: 10, 'text-anchor': what === 'stopped' ? 'start' : 'end' }, text(`freeze.${what}`)));
    }
  }

  /** The picture in words. */
  told(guard) {
    return this.sellers.map(seller => {
      const visit = this.visit(guard, seller);
      const outcome = visit && this.outcomeOf(guard, visit);
      const steps = visit && this.stopOf(visit) < Infinity ? [text('freeze.frozen', { read: this.readBy(visit) })] : visit ? [this.readBy(visit)] : [];
      return `${seller}: ${[...steps, ...outcome ? [text(`freeze.outcome.${outcome}`)] : []].join(text('comma'))}`;
    }).join('; ');
  }
}

const middle = lane => lane / 2 + 4;
