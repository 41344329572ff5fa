/** Judges made-up runs with the page's own code: [what happened, the right verdict, the page's verdict] of each. */
async () => {
  const { Run } = await import('/api/page/run.js');
  const { judge } = await import('/api/page/verdict.js');
  const MILLI = 1000;
  const INSTANCES = ['a', 'b'];

  /** One request each 15 ms, and one after the other at work for 20 ms, unless said otherwise. */
  function visitsOf({ answers, failed = 0, locked, overlap = 0, shared = false, unanswered = false }) {
    let free = 0;
    return Object.entries(answers).flatMap(([code, count]) => Array(count).fill(Number(code))).map((code, i) => {
      const asked = i * 15 * MILLI;
      const entered = Math.max(asked, free - overlap * MILLI) + MILLI;
      const left = entered + 20 * MILLI;
      free = code === 0 ? left : free;
      const locks = locked ? [{ name: 'address:1', token: String(100 + i) }] : [];
      const sections = code === 0 ? [{ name: 'add', things: ['1'], shared, locks, entered, left }] : [];
      return { id: i, thread: `exec-${i}`, asked, sections, answered: unanswered ? null : left, code };
    });
  }

  function runOf(made) {
    const { scenario = 'default-address', locked = true, answers, failed = 0, facts = [], finished = true, gone = {}, silences = 0,
      answeredAt = {}, heard = 9_000 } = made;
    const requests = Object.values(answers).reduce((sum, count) => sum + count, failed);
    const run = new Run(locked);
    run.update({ run: 'r', scenario, locked, requests, instances: INSTANCES, answers, answeredAt, failed, finished, facts });
    const visits = [...made.alone ? [] : visitsOf({ ...made, locked }), ...made.more ?? []];
    INSTANCES.forEach((instance, i) =>
      run.add(instance, { answers: true, version: 1, now: heard * MILLI, visits: visits.filter(visit => visit.id % 2 === i) }));
    for (let silence = 0; silence < silences; silence++) {
      run.add('b', { answers: false, version: 1, now: 20_000 * MILLI, visits: [] });
    }
    Object.entries(gone).forEach(([instance, at]) => run.lose(instance, at));
    run.forgot = made.forgot === true;
    run.abandoned = made.abandoned === true;
    return run;
  }

  const fact = (name, expected, actual) => ({ name, expected, actual, holds: expected === actual });
  const held = (id, asked, entered, left, answered) => ({
    id, number: id, thread: `exec-${id}`, asked, answered, code: answered === null ? null : 0,
    sections: [{ name: 'import', things: ['1'], shared: false, locks: [{ name: 'stock:1', token: String(id) }], entered, left }],
  });
  /** b holds until it is killed after 1 s; a is answered or takes over. */
  const killed = (takeover, failed = 3) => ({
    scenario: 'takeover', answers: { 0: 3 }, failed, gone: { b: 1_000 * MILLI },
    more: [held(101, 0, 200 * MILLI, null, null), held(102, 0, takeover * MILLI, (takeover + 500) * MILLI, (takeover + 501) * MILLI)],
  });

  /** b was answered and then killed, before it told so; a came next. */
  const answered = more => ({
    scenario: 'takeover', answers: { 0: 2 }, gone: { b: 1_000 * MILLI }, heard: 700, answeredAt: { 101: 450 * MILLI }, alone: true,
    more: [held(101, 0, 200 * MILLI, null, null), held(102, 0, 500 * MILLI, 600 * MILLI, 601 * MILLI)], ...more,
  });

  const cases = [
    ['all answered, and an instance killed before it told so', 'unseen', answered({})],
    ['the same, and the data are wrong', 'wrong', answered({ facts: [fact('sold', 1, 2)] })],
    ['the same, and an overlap was seen', 'overlapped', answered({ answeredAt: { 101: 580 * MILLI } })],
    ['the same, since Redis was killed and came back', 'forgotten', answered({ answeredAt: { 101: 580 * MILLI }, forgot: true })],
    ['wrong data, since Redis was killed and came back', 'forgotten', { answers: { 0: 24 }, facts: [fact('runs', 1, 2)], forgot: true }],
    ['wrong data without the lock, and Redis came back', 'wrong', { locked: false, answers: { 0: 24 }, facts: [fact('runs', 1, 2)], forgot: true }],
    ['Redis came back, and nothing happened', 'right', { answers: { 0: 24 }, facts: [fact('addresses', 24, 24)], forgot: true }],
    ['a writer was killed halfway', 'unavailable', { scenario: 'catalogue', answers: { 0: 23 }, failed: 1, facts: [fact('torn', 0, 1)] }],
    ['everything done', 'right', { answers: { 0: 24 }, facts: [fact('addresses', 24, 24), fact('defaults', 1, 1)] }],
    ['everything done, and sold out for the rest', 'right', { answers: { 0: 10, 13: 10, 14: 10 }, facts: [fact('sold', 10, 10)] }],
    ['everything done, without the lock', 'lucky', { locked: false, answers: { 0: 24 }, facts: [fact('addresses', 24, 24)] }],
    ['not finished', 'open', { finished: false, answers: { 0: 20 } }],
    ['finished, but the timeline is behind', 'open', { unanswered: true, answers: { 0: 20 } }],

    ['nothing done, all unavailable', 'nothing', { answers: { 3: 24 }, facts: [fact('addresses', 0, 0), fact('defaults', 1, 0)] }],
    ['nothing done, no answer, no facts', 'nothing', { answers: {}, failed: 24, facts: null }],
    ['nothing done, all busy', 'nothing', { scenario: 'scheduled-job', answers: { 1: 12 }, facts: [fact('runs', 1, 0)] }],
    ['nothing done, but something is there', 'wrong', { answers: { 3: 24 }, facts: [fact('boughtTwice', 0, 1)] }],

    ['some unavailable', 'unavailable', { answers: { 0: 20, 3: 4 }, facts: [fact('addresses', 20, 20)] }],
    ['some without an answer', 'unavailable', { answers: { 0: 20 }, failed: 4, facts: [fact('addresses', 20, 20)] }],
    ['an answer lost after its work was done', 'unavailable', { answers: { 0: 23 }, failed: 1, facts: [fact('addresses', 23, 24)] }],
    ['one more written than answered', 'wrong', { answers: { 0: 24 }, facts: [fact('addresses', 24, 25)] }],
    ['one written less than answered', 'wrong', { answers: { 0: 23 }, failed: 1, facts: [fact('addresses', 23, 22)] }],
    ['some failed', 'failed', { answers: { 0: 23, 4: 1 }, facts: [fact('addresses', 23, 23)] }],
    ['some refused', 'failed', { answers: { 0: 23, 2: 1 }, facts: [fact('addresses', 23, 23)] }],
    ['the result cannot be read', 'unread', { answers: { 0: 24 }, facts: null }],

    ['two at work at once', 'overlapped', { overlap: 5, answers: { 0: 24 } }],
    ['two at work at once, without the lock', 'overlapped', { locked: false, overlap: 5, answers: { 0: 24 } }],
    ['two at work at once, and the result cannot be read', 'overlapped', { overlap: 5, answers: { 0: 24 }, facts: null }],
    ['two at work at once, and the data are wrong', 'wrong', { overlap: 5, answers: { 0: 24 }, facts: [fact('addresses', 24, 23)] }],
    ['two readers at once', 'right', { scenario: 'catalogue', shared: true, overlap: 5, answers: { 0: 24 }, facts: [fact('torn', 0, 0)] }],
    ['a half-written price was read', 'wrong', { scenario: 'catalogue', answers: { 0: 24 }, facts: [fact('torn', 0, 1)] }],

    ['busy on purpose', 'right', { scenario: 'order-status', answers: { 0: 1, 1: 11 }, facts: [fact('changes', 1, 1)] }],
    ['changes that the order does not know of', 'wrong', { scenario: 'order-status', locked: false, answers: { 0: 12 }, facts: [fact('changes', 12, 1)] }],
    ['not finished, and nobody asks any more', 'unread', { finished: false, abandoned: true, answers: { 0: 20 } }],
    ['one turn ran once', 'right', { scenario: 'scheduled-job', answers: { 0: 1, 1: 11 }, facts: [fact('runs', 1, 1)] }],
    ['one turn ran twice', 'wrong', { scenario: 'scheduled-job', answers: { 0: 2, 1: 10 }, facts: [fact('runs', 1, 2)] }],
    ['some gave up waiting', 'slow', { answers: { 0: 22, 1: 2 }, facts: [fact('addresses', 22, 22)] }],
    ['fewer sold, because some gave up waiting', 'slow', { answers: { 0: 8, 1: 22 }, facts: [fact('sold', 10, 8)] }],
    ['fewer sold, though everybody was served', 'wrong', { answers: { 0: 8, 13: 22 }, facts: [fact('sold', 10, 8)] }],
    ['fewer sold than confirmed', 'wrong', { answers: { 0: 8, 1: 22 }, facts: [fact('sold', 10, 7)] }],
    ['too many sold, and some gave up waiting', 'wrong', { answers: { 0: 11, 1: 19 }, facts: [fact('sold', 10, 11)] }],

    ['in order', 'right', { scenario: 'fair-queue', answers: { 0: 16, 21: 8 }, facts: [fact('overtaken', 0, 0)] }],
    ['overtaken', 'wrong', { scenario: 'fair-queue', answers: { 0: 16, 21: 8 }, facts: [fact('overtaken', 0, 1)] }],
    ['overtaken while an instance was killed', 'losses', { ...killed(5_500), facts: [fact('overtaken', 0, 1)] }],
    ['the same place twice while an instance was killed', 'wrong', { ...killed(5_500), facts: [fact('samePlace', 0, 1)] }],
    ['overtaken without the lock', 'wrong', { locked: false, scenario: 'fair-queue', answers: { 0: 16, 21: 8 }, facts: [fact('overtaken', 0, 1)] }],

    ['a killed holder, taken over later', 'losses', killed(5_500)],
    ['a killed holder, taken over while it was alive', 'overlapped', killed(900)],
    ['a holder that was killed elsewhere and answers no more, taken over later', 'losses', { ...killed(9_500), gone: {}, silences: 8 }],
    ['a holder that answers no more, taken over while it was alive', 'overlapped', { ...killed(8_500), gone: {}, silences: 8 }],
    ['a holder that may have missed some questions', 'open', { ...killed(9_500), gone: {}, silences: 7 }],
    ['a killed holder, and more unanswered than it had', 'unavailable', killed(5_500, 6)],
  ];
  return cases.map(([what, right, made]) => [what, right, judge(runOf(made))]);
}
