import { ask } from './api.js';
import { make, replace } from './panel.js';
import { text } from './texts.js';

/** The card of the Redis that keeps the locks. One that the playground has started can be killed and started again. */
export class Redis {
  constructor(root, onFailure) {
    this.root = root;
    this.onFailure = onFailure;
    this.state = null;
    this.events = [];
    this.stale = false;
  }

  async refresh() {
    this.state = await ask('redis');
    this.render();
  }

  /** Which process it is; null if it is down, or was not started by the playground. */
  async process() {
    await this.refresh();
    return this.state.process ?? null;
  }

  async turn(what) {
    const { at } = await ask(`redis/${what}`, 'POST');
    this.events.push({ what: `${what}Redis`, at });
    await this.refresh();
  }

  render() {
    replace(this.root, ...this.state ? [this.card(this.state)] : []);
  }

  card({ where, up, ours }) {
    const state = this.stale ? 'stale' : up ? 'up' : 'down';
    const card = make('div', { class: `card ${up && !this.stale ? '' : 'dead'}`, 'data-state': state });
    const header = make('header');
    header.append(make('strong', {}, 'Redis'), make('span', { class: 'counts' }, where));
    const footer = make('footer');
    if (ours && !this.stale) {
      const what = up ? 'kill' : 'start';
      const button = make('button', { type: 'button', class: 'quiet', id: 'redis-button', 'aria-label': text(`${what}Redis`) }, text(what));
      button.addEventListener('click', () => this.turn(what).catch(this.onFailure));
      footer.append(button);
    }
    card.append(header, make('p', {}, text(`redis.${state}`)), footer);
    return card;
  }
}
