/** How many times in a row an instance may leave a question unanswered: a busy one may miss some. */
const SILENCES = 8;

/**
 * The result of one burst: the visits of all instances, and what follows from them. Independent of the page.
 *
 * What an instance did after it was last heard of is known only in part when it is killed: a request that was answered has ended,
 * and all of it ended with the process. Between those moments, nobody knows whether it was still at work.
 */
export class Run {
  constructor(locked) {
    this.locked = locked;
    this.visits = new Map();
    this.versions = new Map();
    this.now = 0;
    this.burst = null;
    this.known = null;
    this.knownClashes = null;
    /** When the latest process of each instance was started: another one may have the same name. */
    this.processes = new Map();
    /** When processes have ended: name of the instance → moments. */
    this.deaths = new Map();
    /** The instances that have told everything since the burst is finished. */
    this.complete = new Set();
    /** Whether nobody follows it any longer, although it is not over. */
    this.abandoned = false;
    /** Whether Redis has lost its data meanwhile, and with them who holds which lock. */
    this.forgot = false;
    this.silences = new Map();
    this.heard = new Map();
    /** Whether it is made up, to show what will be seen. */
    this.isExample = false;
    /** The process of Redis when it began; null if it was down, or was not started by the playground. */
    this.redis = null;
    /** The master that was killed in its middle; null once it is back. */
    this.victim = undefined;
    /** What happened to servers and instances: {what, at, …} of each event, including events before and after the run. */
    this.marks = [];
  }

  /** What is kept of it: nothing that follows from the rest. */
  toJSON() {
    this.forget();
    return { ...this };
  }

  /** Adds the progress of the burst. */
  update(burst) {
    this.burst = burst;
    this.forget();
  }

  /** Adds the changes that an instance has reported. */
  add(instance, changes) {
    this.forget();
    this.now = Math.max(this.now, changes.now);
    const process = this.processes.get(instance);
    if (!changes.answers) {
      const silences = (this.silences.get(instance) ?? 0) + 1;
      this.silences.set(instance, silences);
      if (silences === SILENCES) {
        this.lose(instance, this.heard.get(keyOf(instance, process)) ?? changes.now);
      }
      return;
    }
    this.silences.delete(instance);
    const started = changes.started ?? 0;
    this.processes.set(instance, started);
    if (process !== undefined && process !== started) {
      this.lose(instance, started);
      // It counts its changes anew, and was asked by the count of the former process.
      this.versions.delete(instance);
      return;
    }
    this.heard.set(keyOf(instance, started), changes.now);
    this.versions.set(instance, changes.version);
    for (const visit of changes.visits) {
      this.visits.set(`${keyOf(instance, started)} ${visit.id}`, { ...visit, instance, started });
    }
    if (this.burst?.finished) {
      this.complete.add(instance);
    }
  }

  /** The process of an instance has ended at this time. What it was doing ended, too. */
  lose(instance, at) {
    this.forget();
    const moments = this.deaths.get(instance) ?? [];
    if (!moments.includes(at)) {
      this.deaths.set(instance, [...moments, at]);
    }
  }

  /** Discards what was derived from earlier data. */
  forget() {
    this.known = null;
    this.knownClashes = null;
  }

  get all() {
    return [...this.visits.values()].map(visit => this.ended(visit)).sort((a, b) => a.asked - b.asked);
  }

  /**
   * The visit as its instance told it, or as far as it is known if the instance ended before: until "seen" it is known, by "answered" it
   * has ended. A section that was open then has certainly lasted until "left", and at most until "until".
   */
  ended(visit) {
    const deaths = (this.deaths.get(visit.instance) ?? []).filter(at => at > visit.started);
    if (deaths.length === 0 || visit.answered !== null) {
      return visit;
    }
    const told = this.burst?.answeredAt?.[visit.number];
    const end = Math.max(Math.min(...deaths, told ?? Infinity), visit.asked);
    const heard = this.heard.get(keyOf(visit.instance, visit.started)) ?? visit.asked;
    const seen = Math.max(visit.asked, Math.min(heard, end));
    const sections = visit.sections.map(section => section.left === null
      ? { ...section, left: Math.max(section.entered, seen), until: Math.max(section.entered, end) } : section);
    return { ...visit, answered: end, seen, lost: told === undefined, sections };
  }

  get isOver() {
    return this.burst?.finished === true
      && this.burst.instances.every(instance => this.deaths.has(instance) || this.complete.has(instance))
      && this.all.every(visit => visit.answered !== null)
      && (this.deaths.size > 0 || this.visits.size >= this.burst.requests - this.burst.failed);
  }

  /** How many requests remained without an answer because their instance has ended. */
  get lost() {
    const { instances, requests, failed } = this.burst;
    const shares = instances.map((instance, i) => this.deaths.has(instance) ? Math.ceil((requests - i) / instances.length) : 0);
    return Math.min(failed, shares.reduce((sum, share) => sum + share, 0));
  }

  /** How many requests remained without an answer, nobody knows why. */
  get unexplained() {
    return this.burst.failed - this.lost;
  }

  /** How many requests no instance has told about to the end: what they did, and when, is not known. */
  get unseen() {
    const told = [...this.visits.values()].filter(visit => visit.answered !== null).length;
    return Math.max(0, this.burst.requests - told);
  }

  /** Why requests were not served, as their instances say, or as who sent them says if there was no answer: [cause, how many]. */
  get causes() {
    const causes = new Map();
    const add = (cause, more) => {
      const alike = cause.replace(/\d+ ms/g, 'ms');
      const [first, count] = causes.get(alike) ?? [cause, 0];
      causes.set(alike, [first, count + more]);
    };
    [...this.visits.values()].filter(({ cause }) => cause).forEach(({ cause }) => add(cause, 1));
    if (this.unexplained > 0) {
      Object.entries(this.burst.failures ?? {}).forEach(([cause, count]) => add(cause, count));
    }
    return [...causes.values()].sort((a, b) => b[1] - a[1]);
  }

  /** The first and the last moment. */
  get span() {
    const visits = this.all;
    if (visits.length === 0) {
      return [0, 1];
    }
    const end = this.isOver ? Math.max(...visits.map(visit => visit.answered)) : this.now;
    return [visits[0].asked, Math.max(end, visits[0].asked + 1000)];
  }

  get length() {
    const [begin, end] = this.span;
    return end - begin;
  }

  /** Every section with its visit, by start time. The same objects until new data is added. */
  get sections() {
    this.known ??= this.byStart();
    return this.known;
  }

  byStart() {
    const [, end] = this.span;
    return this.all
      .flatMap(visit => visit.sections.map(section => ({ ...section, left: section.left ?? end, visit })))
      .sort((a, b) => a.entered - b.entered);
  }

  /**
   * Overlapping sections on the same thing, which must not happen: [section, from, to] of each overlap, by start time. Counts only
   * what was seen.
   */
  get clashes() {
    this.knownClashes ??= this.overlaps();
    return this.knownClashes;
  }

  overlaps() {
    const clashes = [];
    let open = [];
    for (const section of this.sections) {
      open = open.filter(other => other.left > section.entered);
      for (const other of open.filter(each => excludes(each, section))) {
        const to = Math.min(section.left, other.left);
        clashes.push([section, section.entered, to], [other, section.entered, to]);
      }
      open.push(section);
    }
    return clashes;
  }

  /** The periods with a clash: [from, to] of each, in order. */
  get clashingTimes() {
    const times = [];
    for (const [, from, to] of this.clashes) {
      const last = times.at(-1);
      if (last && from <= last[1]) {
        last[1] = Math.max(last[1], to);
      } else {
        times.push([from, to]);
      }
    }
    return times;
  }

  /** How many sections overlapped another one. */
  get clashing() {
    return new Set(this.clashes.map(([section]) => section)).size;
  }

  /** How many sections ran at once, as [moment, count] of each change. */
  get crowd() {
    const changes = this.sections.flatMap(section => [[section.entered, 1], [section.left, -1]]);
    changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let count = 0;
    return changes.map(([moment, change]) => [moment, count += change]);
  }

  get most() {
    return Math.max(0, ...this.crowd.map(([, count]) => count));
  }

  /** Pairs of sections where the second held a lock right after the first. Readers that overlap hand nothing over. */
  get handOvers() {
    const latest = new Map();
    const pairs = [];
    for (const section of this.sections) {
      for (const lock of section.locks) {
        const earlier = latest.get(lock.name);
        if (earlier && earlier.left <= section.entered && earlier.until === undefined) {
          pairs.push([earlier, section]);
        }
        latest.set(lock.name, section);
      }
    }
    return pairs;
  }

  /**
   * Locks whose holder was killed: {from, to, name, at}; "to" is the next holder, which may not be known before the run is over. A holder
   * that was answered, or followed before the kill, had ended.
   */
  get takeovers() {
    const sections = this.sections;
    return sections.filter(section => section.until !== undefined && section.visit.lost)
      .flatMap(from => from.locks.map(({ name }) => ({
        from, name, at: from.until,
        to: sections.find(next => next !== from && next.entered >= from.left && next.locks.some(lock => lock.name === name)),
      })))
      .filter(({ to, at }) => to ? to.entered >= at : !this.isOver);
  }

  get longestWait() {
    const [, end] = this.span;
    return Math.max(0, ...this.all.map(visit => (visit.sections[0]?.entered ?? visit.seen ?? visit.answered ?? end) - visit.asked));
  }

  get marksWithin() {
    const [begin, end] = this.span;
    return this.marks.filter(mark => mark.at >= begin && mark.at <= end);
  }

  /** How many requests have been answered or have failed. */
  get answered() {
    return Object.values(this.burst?.answers ?? {}).reduce((sum, count) => sum + count, this.burst?.failed ?? 0);
  }

  answersWith(code) {
    return this.burst?.answers[code] ?? 0;
  }

  get otherCodes() {
    return Object.keys(this.burst?.answers ?? {}).map(Number).filter(code => code > 1).sort((a, b) => a - b);
  }
}

const keyOf = (instance, started) => `${instance} ${started}`;

function excludes(a, b) {
  return !(a.shared && b.shared) && a.things.some(thing => b.things.includes(thing));
}
