/**
 * Judges made-up runs of which all is known, with the page's own code, as the page would see them: it asks now and then, and an instance
 * is killed at some moment. Returns what the page said too much, each with its seed, and how often it said what.
 */
async ([firstSeed, count]) => {
  const { Run } = await import('/api/page/run.js');
  const { judge } = await import('/api/page/verdict.js');
  const MILLI = 1000;
  const LEASE = 5_000 * MILLI;
  const INSTANCES = ['a', 'b'];

  /** Numbers from 0 to 1 that follow from the seed. */
  function numbers(seed) {
    let state = seed >>> 0;
    return () => {
      state = state + 0x6d2b79f5 >>> 0;
      let mixed = Math.imul(state ^ state >>> 15, state | 1);
      mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
      return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
    };
  }

  /** What really happens: each request in turn, and perhaps one of them before its turn; the second instance perhaps dies. */
  function world(random) {
    const between = (from, to) => Math.floor((from + random() * (to - from)) * MILLI);
    const requests = 2 + Math.floor(random() * 20);
    const early = random() < .3 ? 1 + Math.floor(random() * (requests - 1)) : -1;
    const visits = [];
    let free = 0;
    for (let number = 0; number < requests; number++) {
      const asked = between(0, 40);
      const entered = Math.max(asked, number === early ? free - between(1, 3) : free + between(0, 2));
      const left = entered + between(4, 80);
      const answered = left + between(0, 5);
      visits.push({ number, instance: INSTANCES[number % 2], asked, entered, left, answered, heard: answered + between(0, 20) });
      free = Math.max(free, left);
    }
    const killedAt = random() < .7 ? between(0, free / MILLI + 60) : Infinity;
    let delay = 0;
    for (const visit of [...visits].sort((one, other) => one.entered - other.entered)) {
      if (visit.instance === 'b' && visit.heard > killedAt) {
        visit.lost = true;
        if (visit.entered + delay < killedAt && visit.left + delay > killedAt) {
          // It dies as the holder: the others wait for its lease to end.
          visit.died = true;
          visit.entered += delay;
          delay = killedAt + LEASE - visit.left;
          continue;
        }
        if (visit.entered + delay >= killedAt) {
          visit.never = true;
          continue;
        }
      }
      for (const moment of ['entered', 'left', 'answered', 'heard']) {
        visit[moment] += delay;
      }
    }
    return { visits, killedAt, seenKill: random() < .7 };
  }

  const works = visit => !visit.never;
  const endOf = (visit, killedAt) => visit.died ? killedAt : visit.left;

  function reallyOverlaps({ visits, killedAt }) {
    const sections = visits.filter(works);
    return sections.some(one => sections.some(other => one !== other
      && one.entered <= other.entered && other.entered < endOf(one, killedAt) && endOf(other, killedAt) > other.entered));
  }

  function burstAt({ visits, killedAt }, now) {
    const told = visits.filter(visit => !visit.lost && visit.heard <= now);
    const failed = visits.filter(visit => visit.lost && killedAt <= now).length;
    const finished = told.length + failed === visits.length;
    const written = visits.filter(visit => works(visit) && !visit.died).length;
    const fact = { name: 'addresses', expected: told.length, actual: written, holds: told.length === written };
    return {
      run: 'r', scenario: 'default-address', locked: true, requests: visits.length, instances: INSTANCES, failed, finished,
      answers: told.length > 0 ? { 0: told.length } : {},
      answeredAt: Object.fromEntries(told.map(visit => [visit.number, visit.heard])),
      facts: finished ? [fact] : null,
    };
  }

  function timelineAt({ visits, killedAt }, instance, now) {
    if (instance === 'b' && now >= killedAt) {
      return { answers: false, started: 0, version: 0, now, visits: [] };
    }
    const seen = visits.filter(visit => visit.instance === instance && visit.asked <= now).map(visit => ({
      id: visit.number, number: visit.number, thread: `exec-${visit.number}`, asked: visit.asked,
      answered: works(visit) && visit.answered <= now ? visit.answered : null, code: 0,
      sections: works(visit) && visit.entered <= now ? [{
        name: 'add', things: ['1'], shared: false, locks: [{ name: 'address:1', token: String(100 + visit.number) }],
        entered: visit.entered, left: visit.left <= now ? visit.left : null,
      }] : [],
    }));
    return { answers: true, started: -1, version: 1, now, visits: seen };
  }

  function look(truth, random) {
    const run = new Run(true);
    run.update(burstAt(truth, 0));
    let now = 0;
    for (let polls = 0; polls < 400 && !run.isOver; polls++) {
      now += Math.floor((50 + random() * 300) * MILLI);
      run.update(burstAt(truth, now));
      for (const instance of INSTANCES) {
        if (random() < .1) {
          break;
        }
        now += Math.floor(random() * 10 * MILLI);
        run.add(instance, timelineAt(truth, instance, now));
      }
      if (truth.seenKill && now >= truth.killedAt) {
        run.lose('b', truth.killedAt);
      }
    }
    return run;
  }

  const complaints = [];
  const said = {};
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const random = numbers(seed);
    const truth = world(random);
    const run = look(truth, random);
    const verdict = judge(run);
    const overlaps = reallyOverlaps(truth);
    const isWhole = truth.visits.every(visit => !visit.lost) && run.unseen === 0;
    const key = `${overlaps ? 'overlapping' : 'in turn'}, ${isWhole ? 'all' : 'partly'} seen: ${verdict}`;
    said[key] = (said[key] ?? 0) + 1;
    const complain = what => complaints.push(`seed ${seed}: ${verdict}, ${what}`);
    if (!run.isOver) {
      complain('and it never ends');
    }
    if (!overlaps && (['wrong', 'overlapped', 'forgotten'].includes(verdict) || run.clashing > 0)) {
      complain('although each had its turn');
    }
    if (verdict === 'right' && (overlaps || !isWhole)) {
      complain(overlaps ? 'although two overlapped' : 'although not all was seen');
    }
    if (overlaps && isWhole && verdict !== 'overlapped') {
      complain('although all was seen, and two overlapped');
    }
    if (run.takeovers.some(({ to, at }) => !to || to.entered < at)) {
      complain('and somebody was never taken over from');
    }
  }
  return { complaints, said };
}
