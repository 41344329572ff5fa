/** How many times in a row an instance may leave a question unanswered: a busy one may miss some. */
const SILENCES = 8;

/**
 * The result of one burst: the visits of all instances, and what follows from them. Independent of the page.
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
    /** The instances that have ended: name → when. */
    this.gone = new Map();
    /** Whether nobody follows it any longer, although it is not over. */
    this.abandoned = false;
    this.silences = new Map();
    this.heard = new Map();
    /** What happened to servers and instances: {what, at, …} of each event, including events before and after the run. */
    this.marks = [];
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
    if (!changes.answers) {
      const silences = (this.silences.get(instance) ?? 0) + 1;
      this.silences.set(instance, silences);
      if (silences === SILENCES) {
        this.lose(instance, this.heard.get(instance) ?? changes.now);
      }
      return;
    }
    this.silences.delete(instance);
    this.heard.set(instance, changes.now);
    this.versions.set(instance, changes.version);
    for (const visit of changes.visits) {
      this.visits.set(`${instance} ${visit.id}`, { ...visit, instance });
    }
  }

  /** An instance has ended at this time. What it was doing ended, too. */
  lose(instance, at) {
    this.forget();
    if (!this.gone.has(instance)) {
      this.gone.set(instance, at);
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

  /** The visit as it is, or as its instance left it when it ended. */
  ended(visit) {
    const at = this.gone.get(visit.instance);
    if (at === undefined || visit.answered !== null) {
      return visit;
    }
    const end = Math.max(at, visit.asked);
    return { ...visit, answered: end, lost: true, sections: visit.sections.map(section => ({ ...section, left: section.left ?? end })) };
  }

  get isOver() {
    return this.burst?.finished === true && this.all.every(visit => visit.answered !== null)
      && (this.gone.size > 0 || this.visits.size >= this.burst.requests - this.burst.failed);
  }

  /** How many requests remained without an answer because their instance has ended. */
  get lost() {
    const { instances, requests, failed } = this.burst;
    const shares = instances.map((instance, i) => this.gone.has(instance) ? Math.ceil((requests - i) / instances.length) : 0);
    return Math.min(failed, shares.reduce((sum, share) => sum + share, 0));
  }

  /** How many requests remained without an answer, nobody knows why. */
  get unexplained() {
    return this.burst.failed - this.lost;
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

  /** Overlapping sections on the same thing, which must not happen: [section, from, to] of each overlap, by start time. */
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
        if (earlier && earlier.left <= section.entered && !earlier.visit.lost) {
          pairs.push([earlier, section]);
        }
        latest.set(lock.name, section);
      }
    }
    return pairs;
  }

  /** Locks whose holder ended with its instance: {from, to, name}; "to" is the next holder, if there is one yet. */
  get takeovers() {
    const sections = this.sections;
    return sections.filter(section => section.visit.lost && section.left === section.visit.answered)
      .flatMap(from => from.locks.map(({ name }) => ({
        from, name, to: sections.find(next => next.entered >= from.left && next.locks.some(lock => lock.name === name)),
      })));
  }

  get longestWait() {
    const [, end] = this.span;
    return Math.max(0, ...this.all.map(visit => (visit.sections[0]?.entered ?? visit.answered ?? end) - visit.asked));
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

function excludes(a, b) {
  return !(a.shared && b.shared) && a.things.some(thing => b.things.includes(thing));
}
