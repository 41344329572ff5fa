import { example } from './example.js';
import { draw, ranks, shortThread } from './timeline.js';
import { text } from './texts.js';
import { judge, standing } from './verdict.js';

const TONES = {
  right: 'good', wrong: 'bad', overlapped: 'bad', failed: 'bad', nothing: 'warn', unavailable: 'warn', unread: 'warn', slow: 'warn', losses: 'warn',
  unseen: 'warn', forgotten: 'warn',
};
/** How many different causes are shown one by one: the log has them all. */
const CAUSES = 2;
/** The timeline is never lower where the window limits it; see style.css. */
const LOWEST = 100;
const SIGNS = { holds: '✓', broken: '✗', open: '–' };

/** One of the two panels, which have one time scale: numbers, facts, timeline, and the timeline as a table. */
export class Panel {
  /** @param all the panels of the page, with this one */
  constructor(root, locked, all) {
    this.root = root;
    this.locked = locked;
    this.all = all;
    this.run = null;
    this.requests = 1;
    this.showsRows = false;
    /** The greatest height of its timeline, which it keeps while runs come and go. */
    this.height = 0;
  }

  /** @param run null for an example, of so many requests */
  show(run, requests = this.requests) {
    const before = this.length;
    this.height = requests === this.requests ? this.height : 0;
    this.run = run;
    this.requests = requests;
    (this.length === before ? [this] : this.all).forEach(panel => panel.render());
  }

  /** The time that the width of all panels stands for. */
  get length() {
    return Math.max(1, ...this.all.map(panel => panel.run?.length ?? 0));
  }

  /** The run will not be followed any longer. */
  abandon() {
    if (this.run !== null && !this.run.isOver) {
      this.run.abandoned = true;
      this.render();
    }
  }

  /** The verdict in words. */
  get words() {
    return verdictsOf(this.run).map(verdict => said(verdict, this.run)).join(text('comma'));
  }

  render() {
    const isExample = this.run === null;
    this.root.classList.toggle('hint', isExample);
    if (isExample) {
      this.root.removeAttribute('data-state');
    } else {
      this.root.dataset.state = judge(this.run);
    }
    const told = make('div', { class: 'told' });
    told.append(...isExample ? [make('p', {}, text(this.locked ? 'hintLocked' : 'hintUnlocked'))] : [...this.reason(), this.numbers(), this.facts()]);
    const top = this.root.querySelector('.scroll')?.scrollTop ?? 0;
    const scroll = make('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': text('timeline') });
    this.root.replaceChildren(this.header(), told, scroll, ...isExample ? [] : [this.rows()]);
    // Empty, it is as high as the window allows; on a small screen it has no height of its own.
    const isFree = scroll.clientHeight < LOWEST;
    const [run, length] = isExample
      ? [example(this.locked, this.requests), example(true, this.requests).length] : [this.run, this.length];
    const picture = draw(run, length, Math.max(280, this.root.clientWidth - 32), isFree ? Infinity : scroll.clientHeight, words());
    scroll.append(picture);
    this.height = isFree ? Math.max(this.height, picture.getBoundingClientRect().height) : 0;
    scroll.style.minHeight = isFree ? `${this.height}px` : '';
    scroll.scrollTop = top;
  }

  header() {
    const header = make('header');
    header.append(make('h3', {}, text(this.locked ? 'withLock' : 'withoutLock')));
    if (this.run === null) {
      header.append(make('span', { class: 'verdict' }, text('example')));
      return header;
    }
    header.append(...verdictsOf(this.run).map(each => make('span', { class: `verdict ${TONES[each] ?? ''}` }, said(each, this.run))));
    return header;
  }

  reason() {
    const verdict = judge(this.run);
    return TONES[verdict] === 'warn' || verdict === 'failed' ? [make('p', { class: 'why' }, text(`why.${verdict}`))] : [];
  }

  numbers() {
    const run = this.run;
    const list = make('dl', { class: 'numbers' });
    const add = (name, value, bad = false) => {
      const box = make('div', bad ? { class: 'bad' } : {});
      box.append(make('dt', {}, name), make('dd', {}, String(value)));
      list.append(box);
    };
    add(text('done'), run.answersWith(0));
    if (run.answersWith(1) > 0) {
      add(text('busy'), run.answersWith(1));
    }
    for (const code of run.otherCodes) {
      add(text(`code.${code}`), run.answersWith(code));
    }
    if (run.burst.failed > 0) {
      add(text(run.unexplained > 0 ? 'unanswered' : 'lost'), run.burst.failed);
    }
    add(text('clashing'), run.clashing, run.clashing > 0);
    if (run.handOvers.length > 0) {
      add(text('handOvers'), run.handOvers.length);
    }
    for (const { to, at } of run.takeovers) {
      add(text('takeover'), to ? duration(to.entered - at) : '…');
    }
    if (run.isOver && run.unseen > run.lost) {
      add(text('unseen'), run.unseen);
    }
    add(text('longestWait'), duration(run.longestWait));
    // On a small screen, more than four stand in two rows, and none stands alone.
    const count = list.children.length;
    list.style.setProperty('--columns', count > 4 ? Math.ceil(count / 2) : count);
    return list;
  }

  facts() {
    const list = make('ul', { class: 'facts' });
    const causes = this.run.causes;
    const rest = causes.slice(CAUSES).reduce((sum, [, count]) => sum + count, 0);
    for (const [cause, count] of [...causes.slice(0, CAUSES), ...rest > 0 ? [[text('otherCauses'), rest]] : []]) {
      const words = text('cause', { count, cause });
      list.append(make('li', { class: 'cause', title: words }, words));
    }
    for (const fact of this.run.burst?.facts ?? []) {
      const standingOf = standing(fact, this.run);
      const line = make('li', { class: standingOf });
      line.append(`${SIGNS[standingOf]} `, make('b', {}, String(fact.actual)), ' ', text(`fact.${fact.name}`, { expected: fact.expected }));
      list.append(line);
    }
    return list;
  }

  rows() {
    const details = make('details');
    details.open = this.showsRows;
    details.addEventListener('toggle', () => this.showsRows = details.open);
    const table = make('table');
    const head = make('tr');
    for (const key of ['rowNumber', 'rowInstance', 'rowThread', 'rowWork', 'rowBegin', 'rowTook', 'rowToken']) {
      head.append(make('th', { scope: 'col' }, text(key)));
    }
    table.append(head);
    const [begin] = this.run.span;
    const rank = ranks(this.run);
    for (const section of this.run.sections) {
      const row = make('tr');
      const tokens = section.locks.map(lock => lock.token).join(', ') || '–';
      for (const cell of [rank.get(section) ?? '', section.visit.instance, shortThread(section.visit.thread), section.name,
        `${((section.entered - begin) / 1000).toFixed(1)} ms`, `${((section.left - section.entered) / 1000).toFixed(1)} ms`, tokens]) {
        row.append(make('td', {}, cell));
      }
      table.append(row);
    }
    const scroll = make('div', { class: 'rows', tabindex: '0', role: 'group', 'aria-label': text('asTable') });
    scroll.append(table);
    details.append(make('summary', {}, text('asTable')), scroll);
    return details;
  }
}

/** Work that overlapped is worth a word beside wrong data. */
function verdictsOf(run) {
  const verdict = judge(run);
  return verdict === 'wrong' && run.clashing > 0 ? ['overlapped', verdict] : [verdict];
}

function said(verdict, run) {
  return text(`verdict.${verdict}`, { lost: run.lost, unserved: run.answersWith(3) + run.burst.failed, requests: run.burst.requests, unseen: run.unseen });
}

function words() {
  const millis = micros => (micros / 1000).toFixed(1);
  const who = visit => `${visit.instance} ${shortThread(visit.thread)}`;
  return {
    label: text('timeline'),
    crowd: (most, took) => text('mostAtOnce', { most, time: duration(took) }),
    wait: (visit, took) => text('barWait', { who: who(visit), millis: millis(took) }),
    work: section => text(section.locks.length > 0 ? 'barHold' : 'barWork', {
      who: who(section.visit), millis: millis(section.left - section.entered), name: section.name,
      locks: section.locks.map(lock => `${lock.name} (${lock.token})`).join(', '),
    }),
    unserved: visit => [text('barUnserved', { who: who(visit), answer: text(visit.code === 1 ? 'busy' : `code.${visit.code}`) }),
      ...visit.cause ? [visit.cause] : []].join(text('colon')),
    unknown: visit => text('barUnknown', { who: who(visit) }),
    mark: event => text(`mark.${event.what}`, event),
    orphan: ({ from, name }) => text('barOrphan', { name, instance: from.visit.instance }),
    clash: section => text('barClash', { who: who(section.visit) }),
  };
}

/** Microseconds, with a unit that keeps the number short. */
function duration(micros) {
  const millis = Math.round(micros / 1000);
  return millis < 1000 ? `${millis} ms` : `${(millis / 1000).toFixed(millis < 10_000 ? 2 : 1)} s`;
}

/**
 * Replaces the content of an element, but only if it differs: a button that is replaced while it is pressed is not clicked.
 * What has the focus keeps it, if it has an id.
 */
export function replace(root, ...children) {
  const next = root.cloneNode(false);
  next.append(...children);
  if (next.innerHTML !== root.innerHTML) {
    const focused = root.contains(document.activeElement) ? document.activeElement.id : '';
    root.replaceChildren(...next.childNodes);
    if (focused) {
      document.getElementById(focused)?.focus();
    }
  }
}

export function make(name, attributes = {}, content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  if (content !== undefined) {
    element.textContent = content;
  }
  return element;
}
