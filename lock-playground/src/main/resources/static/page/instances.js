import { ask, query } from './api.js';
import { make, replace } from './panel.js';
import { text } from './texts.js';

const SILENT = { answers: false, visits: [], waiting: [] };
/** Not asked yet. */
const UNKNOWN = { ...SILENT, answers: true };

/**
 * The cards of the instances, with what each waits for and holds right now. The second one, which the first has started, can
 * be killed. The first cannot: the page, and the second one, would end with it. One of them leads, and can step down.
 */
export class Instances {
  constructor(root, onFailure) {
    this.root = root;
    this.onFailure = onFailure;
    this.running = [];
    this.second = { phase: 'NONE' };
    this.open = new Map();
    this.kills = [];
    this.stale = false;
  }

  async refresh() {
    [this.running, this.second] = await Promise.all([ask('instances'), ask('instances/second')]);
    await Promise.all(this.running.map(async ({ name }) =>
      this.open.set(name, await ask(`timeline/open?${query({ instance: name })}`).catch(() => SILENT))));
    this.render();
  }

  async startSecond() {
    await ask('instances', 'POST');
    await this.refresh();
  }

  async killSecond() {
    const { name, at } = await ask('instances/second/kill', 'POST');
    this.kills.push({ what: 'killInstance', name, at });
    await this.refresh();
  }

  async stepDown() {
    await ask('instances/leader/step-down', 'POST');
    await this.refresh();
  }

  /** Kills the second instance, once, while it holds a lock of this run. */
  async accompany(run) {
    const holds = run.sections.some(({ visit, locks }) =>
      locks.length > 0 && visit.instance === this.second.name && visit.sections.some(section => section.left === null));
    if (holds && this.kills.length === 0) {
      await this.killSecond();
    }
  }

  render() {
    const cards = this.running.map(instance => this.card(instance));
    if (this.running.length < 2) {
      cards.push(this.missing());
    }
    replace(this.root, ...cards);
  }

  card({ name }) {
    const { answers, visits, waiting, term } = this.open.get(name) ?? UNKNOWN;
    const working = visits.filter(visit => visit.sections.some(section => section.left === null));
    const isDead = this.stale || !answers;
    const card = make('div', { class: `card instance ${isDead ? 'dead' : ''}`, 'data-name': name });
    const header = make('header');
    header.append(make('strong', {}, name));
    if (term && !isDead) {
      header.append(make('span', { class: 'leads' }, text('leads')));
    }
    header.append(
      make('span', { class: 'counts' }, visits.length > 0 && !isDead ? text('counts', { waiting: visits.length - working.length, working: working.length }) : ''));
    const footer = make('footer');
    if (!this.stale && name === this.second.name && this.second.phase === 'RUNNING') {
      footer.append(this.button('kill', { 'aria-label': text('killInstance', { name }), class: 'quiet' }, () => this.killSecond()));
    }
    if (term && !isDead) {
      footer.append(this.button('stepDown', { 'aria-label': text('stepDownLeader', { name }), class: 'quiet' }, () => this.stepDown()));
    }
    if (isDead) {
      const isFrozen = !this.stale && name === this.second.name && this.second.phase === 'FROZEN';
      card.append(header, make('p', {}, isFrozen ? text('second.FROZEN', { name }) : text('silent')), footer);
      return card;
    }
    // Of each the first: so the card keeps its size.
    const lines = term ? [text('term', { token: term })] : [];
    lines.push(...firstOf(working.map(holding)),
      ...firstOf(waiting.map(lock => text('waitingFor', { name: lock.name, count: lock.waiting }))));
    if (visits.length + waiting.length === 0) {
      lines.push(text('idle'));
    }
    const list = make('ul');
    list.append(...lines.map(line => make('li', { title: line }, line)));
    card.append(header, list, footer);
    return card;
  }

  missing() {
    const { phase } = this.second;
    const card = make('div', { class: 'card instance missing', 'data-phase': phase });
    card.append(make('p', {}, text(`second.${phase}`, this.second)));
    if (phase !== 'STARTING' && !this.stale) {
      card.append(this.button('secondStart', {}, () => this.startSecond()));
    }
    return card;
  }

  button(key, attributes, onClick) {
    const button = make('button', { type: 'button', id: `instance-${key}`, ...attributes }, text(key));
    button.addEventListener('click', () => onClick().catch(this.onFailure));
    return button;
  }
}

/** The first one, and how many follow. */
function firstOf(lines) {
  return lines.length < 2 ? lines : [`${lines[0]} + ${lines.length - 1}`];
}

function holding(visit) {
  const section = visit.sections.find(each => each.left === null);
  return section.locks.map(lock => `${lock.name} · ${lock.token}`).join(', ') || text('heldNothing', { name: section.name });
}
