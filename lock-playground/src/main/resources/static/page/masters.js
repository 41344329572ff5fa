import { ask, pause } from './api.js';
import { make, replace } from './panel.js';
import { text } from './texts.js';

const POLL = 200;
const COUNT_LIMIT = 30_000;

/** The cards of the three servers, with buttons to kill and restart each. Shows only servers that the playground started. */
export class Masters {
  constructor(root, onFailure) {
    this.root = root;
    this.onFailure = onFailure;
    this.all = [];
    this.events = [];
    this.shown = false;
    this.stale = false;
  }

  async show(shown) {
    this.shown = shown;
    this.root.hidden = !shown;
    await this.refresh();
  }

  async refresh() {
    if (this.shown) {
      this.all = await ask('masters');
      this.render();
    }
  }

  /** Waits until every running server counts. One that was killed by hand stays down. */
  async ready() {
    await this.refresh();
    for (const begin = Date.now(); this.all.some(master => master.up && master.countsInSeconds > 0); await this.refresh()) {
      if (Date.now() - begin > COUNT_LIMIT) {
        return;
      }
      await pause(POLL);
    }
  }

  /** If all servers were up, kills one, once, after a third of the answers and starts it again after two thirds. */
  async accompany(run) {
    const answered = run.answered / run.burst.requests;
    const allCount = this.all.length > 0 && this.all.every(master => master.up && master.countsInSeconds === 0);
    if (run.victim === undefined && allCount && answered >= 1 / 3 && !run.isOver) {
      run.victim = this.all[Math.floor(this.all.length / 2)].port;
      await this.turn(run.victim, 'kill');
    } else if (answered >= 2 / 3) {
      await this.comeBack(run);
    }
  }

  /** Restarts the server that it killed. */
  async comeBack(run) {
    const port = run.victim;
    if (port) {
      run.victim = null;
      await this.turn(port, 'start');
    }
  }

  async turn(port, what) {
    const { at } = await ask(`masters/${port}/${what}`, 'POST');
    this.events.push({ port, what, at });
    await this.refresh();
  }

  render() {
    const cards = make('div', { class: 'cards' });
    cards.append(...this.all.map(master => this.card(master)));
    replace(this.root, make('h3', { class: 'hidden' }, text('masters')), cards,
      ...this.all.length > 0 ? [] : [make('p', {}, text('mastersElsewhere'))]);
  }

  card(master) {
    const state = !master.up ? 'down' : master.countsInSeconds > 0 ? 'young' : 'up';
    const card = make('div', { class: `card master ${state} ${this.stale || !master.up ? 'dead' : ''}`, 'data-state': state });
    const what = master.up ? 'kill' : 'start';
    const button = make('button', {
      type: 'button', class: 'quiet', id: `master-${master.port}`, 'data-what': what, 'aria-label': text(`${what}Master`, master),
    }, text(what));
    button.addEventListener('click', () => this.turn(master.port, what).catch(this.onFailure));
    card.append(make('strong', {}, `:${master.port}`), make('span', {}, text(`master.${state}`, { seconds: master.countsInSeconds })),
      button);
    return card;
  }
}
