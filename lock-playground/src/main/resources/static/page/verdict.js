/**
 * What a run has shown, judged by what happened. Pure: reads a Run, knows no page.
 *
 * A verdict never says more than the run shows: "wrong" needs data that no slow or missing answer explains, and "right" needs
 * that every request was answered and seen to its end. A Redis that lost its data has let two in, not the lock.
 */
const DONE = 0;
const BUSY = 1;
const REFUSED = 2;
const UNAVAILABLE = 3;
const FAILED = 4;

/** The scenarios that answer most requests "busy" on purpose. */
const BUSY_ON_PURPOSE = ['order-status', 'scheduled-job'];
/** Facts that count what was handed out: less than expected if requests were not served, but never less than they were told. */
const HANDED_OUT = ['sold', 'places', 'runs', 'defaults'];
/** Facts that count what was done: more than answered if answers were lost. */
const WRITTEN = ['addresses', 'changes'];

export function judge(run) {
  if (!run.isOver) {
    return run.abandoned ? 'unread' : 'open';
  }
  const facts = run.burst.facts;
  if (facts?.some(fact => standing(fact, run) === 'broken')) {
    return run.locked && run.forgot ? 'forgotten' : 'wrong';
  }
  if (run.clashing > 0) {
    return run.locked && run.forgot ? 'forgotten' : 'overlapped';
  }
  if (run.answersWith(REFUSED) + run.answersWith(FAILED) > 0) {
    return 'failed';
  }
  if (run.answersWith(DONE) === 0) {
    return 'nothing';
  }
  if (run.answersWith(UNAVAILABLE) + run.unexplained > 0) {
    return 'unavailable';
  }
  if (!facts) {
    return 'unread';
  }
  if (run.lost > 0) {
    return 'losses';
  }
  if (run.answersWith(BUSY) > 0 && !BUSY_ON_PURPOSE.includes(run.burst.scenario)) {
    return 'slow';
  }
  if (run.unseen > 0) {
    return 'unseen';
  }
  return run.locked ? 'right' : 'lucky';
}

/** A fact "holds", is "broken", or remains "open" because requests that were not served explain the difference. */
export function standing(fact, run) {
  if (fact.holds) {
    return 'holds';
  }
  return isExplained(fact, run) ? 'open' : 'broken';
}

function isExplained({ name, expected, actual }, run) {
  const done = run.answersWith(DONE);
  const unclear = run.answersWith(UNAVAILABLE) + run.answersWith(FAILED) + run.burst.failed;
  if (HANDED_OUT.includes(name)) {
    return actual < expected && actual >= Math.min(expected, done) && unclear + run.answersWith(BUSY) > 0;
  }
  if (WRITTEN.includes(name)) {
    return actual > expected && actual - expected <= unclear;
  }
  if (name === 'torn') {
    // A killed writer leaves a half-written price behind, which no lock prevents.
    return run.locked && run.burst.failed > 0;
  }
  // Requests are sent when the one before has reached the lock, which is not known of those of a killed instance.
  return name === 'overtaken' && run.locked && run.lost > 0;
}
