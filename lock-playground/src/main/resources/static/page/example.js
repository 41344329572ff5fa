import { Run } from './run.js';
import { text } from './texts.js';

/** In microseconds. */
const GAP = 4_000;
const WORK = 25_000;

/** A made-up run of so many requests: what will be seen, before the first one. */
export function example(locked, requests) {
  const instances = [text('exampleInstance', { number: 1 }), text('exampleInstance', { number: 2 })];
  const run = new Run(locked);
  run.isExample = true;
  run.update({ run: '', requests, instances, answers: { 0: requests }, failed: 0, finished: true, facts: [] });
  instances.forEach((instance, i) => run.add(instance, { answers: true, version: 1, now: 0, visits: visits(locked, requests, i) }));
  return run;
}

function visits(locked, requests, instance) {
  const numbers = Array.from({ length: requests }, (_, number) => number).filter(number => number % 2 === instance);
  return numbers.map(number => {
    const asked = number * GAP;
    const entered = locked ? number * WORK : asked + GAP;
    const locks = locked ? [{ name: 'example', token: String(number) }] : [];
    const section = { name: '', things: ['example'], shared: false, locks, entered, left: entered + WORK };
    return { id: number, number, thread: `exec-${number}`, asked: Math.min(asked, entered), answered: section.left, code: 0, sections: [section] };
  });
}
