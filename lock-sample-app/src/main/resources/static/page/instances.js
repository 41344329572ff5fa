import { ask, query } from './api.js';
import { make } from './panel.js';
import { text } from './texts.js';

const LISTED = 3;
const NOTHING = { visits: [], waiting: [] };

/** The cards of the instances, with what each waits for and holds right now. */
export class Instances {
  constructor(root) {
    this.root = root;
    this.running = [];
    this.open = new Map();
    this.starting = false;
  }

  async refresh() {
    this.running = await ask('instances');
    this.starting &&= this.running.length < 2;
    if (this.starting) {
      // Repeating the request does nothing while the second instance starts, and starts another one if the first try failed.
      await ask('instances', 'POST');
    }
    for (const { name } of this.running) {
      this.open.set(name, await ask(`timeline/open?${query({ instance: name })}`).catch(() => NOTHING));
    }
    this.render();
  }

  async startSecond() {
    this.starting = true;
    this.render();
    await ask('instances', 'POST');
  }

  render() {
    const focused = document.activeElement?.id === 'second';
    this.root.replaceChildren(...this.running.map(instance => this.card(instance)));
    if (this.running.length < 2) {
      this.root.append(this.missing());
      if (focused) {
        document.getElementById('second')?.focus();
      }
    }
  }

  card({ name }) {
    const { visits, waiting } = this.open.get(name) ?? NOTHING;
    const working = visits.filter(visit => visit.sections.some(section => section.left === null));
    const card = make('div', { class: 'instance' });
    const header = make('header');
    header.append(make('strong', {}, name),
      make('span', { class: 'counts' }, text('counts', { waiting: visits.length - working.length, working: working.length })));
    const list = make('ul');
    for (const visit of working.slice(0, LISTED)) {
      const section = visit.sections.find(each => each.left === null);
      const held = section.locks.map(lock => `${lock.name} · ${lock.token}`).join(', ');
      list.append(make('li', {}, held || text('heldNothing', { name: section.name })));
    }
    if (working.length > LISTED) {
      list.append(make('li', {}, `+ ${working.length - LISTED}`));
    }
    for (const lock of waiting.slice(0, LISTED)) {
      list.append(make('li', {}, text('waitingFor', { name: lock.name, count: lock.waiting })));
    }
    card.append(header, list);
    return card;
  }

  missing() {
    const card = make('div', { class: 'instance missing' });
    const button = make('button', { type: 'button', id: 'second' }, text(this.starting ? 'secondStarting' : 'secondStart'));
    button.disabled = this.starting;
    button.addEventListener('click', () => this.startSecond());
    card.append(make('p', {}, text('secondMissing')), button);
    return card;
  }
}
