import { ask, pause, query } from './api.js';
import { Freeze } from './freeze.js';
import { Instances } from './instances.js';
import { keep, kept } from './kept.js';
import { Masters } from './masters.js';
import { Panel, make } from './panel.js';
import { Redis } from './redis.js';
import { Run } from './run.js';
import { currentLanguage, fill, load, switchLanguage, text } from './texts.js';

const POLL = 200;
/** So often it asks whether the requests of another page have ended. */
const POLL_OTHERS = 1000;
const FAILURES_LIMIT = 8;
const LOCKED = 423;
/** So old may be what the cards show. */
const STALE = 4000;
const byId = id => document.getElementById(id);

const instances = new Instances(byId('instances'), complain);
const masters = new Masters(byId('masters'), complain);
const redis = new Redis(byId('redis'), complain);
const cards = [instances, masters, redis];
const freeze = new Freeze(byId('freeze'));
const panels = [];
panels.push(new Panel(byId('locked'), true, panels), new Panel(byId('unlocked'), false, panels));
let scenarios = [];
let chosen = null;
let message = () => '';
let isFiring = false;

await start();

async function start() {
  const [choices, codes] = await Promise.all([ask('scenarios'), fetch('page/scenarios.json').then(file => file.json()), load()]);
  scenarios = codes.map(code => ({ ...code, ...choices.find(choice => choice.name === code.name) })).filter(each => each.requests || each.freezes);
  const asked = new URLSearchParams(location.search).get('scenario');
  chosen = scenarios.find(scenario => scenario.name === asked) ?? scenarios[0];
  byId('theme').addEventListener('click', changeTheme);
  byId('language').addEventListener('click', changeLanguage);
  byId('controls').addEventListener('submit', submit);
  byId('requests').addEventListener('input', () => panels.filter(panel => panel.run === null).forEach(panel => panel.show(null, requests())));
  addEventListener('resize', () => drawings().forEach(each => each.render()));
  addEventListener('pagehide', keepShown);
  applyTheme();
  renderTexts();
  choose(chosen);
  // All at once, so that nothing moves before the eyes of a visitor.
  await Promise.race([Promise.allSettled(cards.map(each => each.refresh())), pause(STALE)]);
  document.querySelectorAll('header[hidden], main[hidden]').forEach(each => each.hidden = false);
  // Now that they have a width.
  drawings().forEach(each => each.render());
  watchInstances();
  if (isOpen()) {
    await play();
  }
}

function renderTexts() {
  fill();
  byId('language').textContent = text('otherLanguage');
  byId('language').lang = currentLanguage() === 'en' ? 'zh-CN' : 'en';
  byId('theme').textContent = text(theme() === 'dark' ? 'toLight' : 'toDark');
  renderChips();
  renderStory();
  cards.forEach(each => each.render());
  drawings().forEach(each => each.render());
  byId('message').textContent = message();
}

/** Five in front; the rest opens if one of them is chosen. */
function renderChips() {
  const front = make('div', { class: 'chips' });
  front.append(...scenarios.filter(scenario => !scenario.more).map(chip));
  const rest = make('div', { class: 'chips' });
  rest.append(...scenarios.filter(scenario => scenario.more).map(chip));
  const more = make('details', { id: 'more' });
  more.open = chosen.more === true;
  more.append(make('summary', {}, text('more')), rest);
  byId('scenarios').replaceChildren(byId('scenarios').firstElementChild, front, more);
}

function chip(scenario) {
  const label = make('label');
  const input = make('input', { type: 'radio', name: 'scenario', value: scenario.name });
  input.checked = scenario === chosen;
  input.addEventListener('change', () => {
    keepShown();
    choose(scenario);
  });
  label.append(input, make('span', {}, text(`scenarios.${scenario.name}.name`)));
  return label;
}

function choose(scenario) {
  chosen = scenario;
  setInAddress('scenario', scenario.name);
  const freezes = scenario.freezes === true;
  byId('freeze').hidden = !freezes;
  for (const each of [byId('stage'), byId('requests').parentElement, byId('both').parentElement]) {
    each.hidden = freezes;
  }
  byId('message').classList.toggle('long', freezes);
  const shown = kept(scenario.name);
  const runs = shown?.runs ?? [];
  byId('requests').value = runs[0]?.burst.requests ?? scenario.requests ?? 1;
  byId('both').checked = shown?.both ?? true;
  panels.forEach((panel, i) => panel.show(runs[i] ? Object.assign(new Run(panel.locked), runs[i]) : null, requests()));
  freeze.show(shown?.freeze);
  say(verdicts);
  renderStory();
  masters.show(scenario.hasMasters === true).catch(complain);
}

function renderStory() {
  byId('scenario-name').textContent = text(`scenarios.${chosen.name}.name`);
  byId('scenario-text').textContent = text(`scenarios.${chosen.name}.text`);
  byId('scenario-code').textContent = chosen.code.join('\n');
  byId('scenario-source').textContent = chosen.source;
}

/** Not disabled while it runs, because a disabled button loses the focus. */
async function submit(event) {
  event.preventDefault();
  if (!isFiring) {
    freeze.show(null);
    panels.forEach(panel => panel.show(null, requests()));
    await play();
  }
}

/** Goes on with what is shown, or begins. */
async function play() {
  setFiring(true);
  try {
    await (chosen.freezes ? playFreeze() : playBursts());
  } catch (failure) {
    panels.forEach(panel => panel.abandon());
    complain(failure);
  } finally {
    setFiring(false);
  }
}

async function playBursts() {
  bringIntoView(byId('stage'));
  for (const panel of byId('both').checked ? panels : panels.slice(0, 1)) {
    const run = panel.run ?? await begin(panel);
    say(() => [verdicts(), text(panel.locked ? 'runningLocked' : 'runningUnlocked')].filter(Boolean).join(' '));
    try {
      await draw(run, panel);
    } finally {
      await masters.comeBack(run);
    }
  }
  await instances.refresh();
  say(verdicts);
}

/** Fires, and shows the run at once: a page that is loaded again before the first news of it finds it. */
async function begin(panel) {
  await twoInstances();
  if (masters.shown) {
    say(() => text('mastersWait'));
    await masters.ready();
  }
  const run = new Run(panel.locked);
  instances.kills = [];
  run.redis = await redis.process();
  run.update(await afterOthers(`bursts?${query({ scenario: chosen.name, requests: byId('requests').value, locked: panel.locked })}`));
  panel.show(run);
  return run;
}

async function playFreeze() {
  bringIntoView(byId('freeze'));
  if (freeze.state === null) {
    await twoInstances();
    freeze.state = await afterOthers('freezes');
  }
  say(() => text('freeze.open'));
  await freeze.follow(freeze.state);
  say(verdicts);
  if (freeze.state.failure) {
    throw new Error(freeze.state.failure);
  }
}

/** What the runs shown have come to, in words. */
function verdicts() {
  if (chosen.freezes) {
    return freeze.state?.finished ? freeze.words : '';
  }
  return panels.filter(panel => panel.run?.isOver)
    .map(panel => text(panel.locked ? 'verdictLocked' : 'verdictUnlocked', { verdict: panel.words })).join(' ');
}

/** How many requests an example has. */
function requests() {
  return Math.max(1, Math.min(byId('requests').value, byId('requests').max));
}

/** Whether the page was left before a run was over. */
function isOpen() {
  return freeze.state?.finished === false || panels.some(({ run }) => run && !run.isOver && !run.abandoned);
}

function keepShown() {
  keep(chosen.name, { runs: panels.map(panel => panel.run), both: byId('both').checked, freeze: freeze.shown });
}

/** What is drawn now: what is hidden has no width. */
function drawings() {
  return chosen.freezes ? [freeze] : panels;
}

function setFiring(firing) {
  isFiring = firing;
  byId('fire').setAttribute('aria-disabled', firing);
  byId('scenarios').disabled = firing;
}

/** On a small screen, what runs is below what started it. */
function bringIntoView(stage) {
  const { top } = stage.getBoundingClientRect();
  if (top > innerHeight / 2) {
    stage.scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  }
}

/**
 * Starts a second instance if there is only one: with one, the lock has little to do. Waits as long as it takes, unless the
 * process ends: on a busy machine, a start may take minutes.
 */
async function twoInstances() {
  await instances.refresh();
  if (instances.running.length < 2) {
    say(() => text('waitingForSecond'));
    await instances.startSecond();
  }
  while (instances.running.length < 2) {
    if (instances.second.phase === 'ENDED') {
      throw new Error(text('second.ENDED', instances.second));
    }
    await pause(POLL);
    await instances.refresh();
  }
}

/** Sends the command as soon as the requests that another page has sent have ended. */
async function afterOthers(command) {
  for (;;) {
    try {
      return await ask(command, 'POST');
    } catch (failure) {
      if (failure.status !== LOCKED) {
        throw failure;
      }
      say(() => failure.message);
      await pause(POLL_OTHERS);
    }
  }
}

/** Draws until every request has been answered. */
async function draw(run, panel) {
  const earlier = run.marks;
  let failures = 0;
  while (!run.isOver) {
    await pause(POLL);
    run.update(await ask(`bursts/${run.burst.run}`));
    try {
      await addTimelines(run);
      failures = 0;
    } catch (failure) {
      // A busy instance may miss one answer; the next one contains the same data.
      if (++failures === FAILURES_LIMIT) {
        throw failure;
      }
    }
    if (panel.locked) {
      await kill(run);
    }
    instances.kills.filter(({ name }) => run.burst.instances.includes(name)).forEach(({ name, at }) => run.lose(name, at));
    run.marks = [...earlier, ...masters.events, ...redis.events, ...instances.kills];
    if (run.isOver && !masters.shown) {
      run.forgot = redis.state.ours && (run.redis === null || await redis.process().catch(() => null) !== run.redis);
    }
    panel.show(run);
  }
}

/** Kills what the scenario is about, when it matters. */
async function kill(run) {
  if (masters.shown) {
    await masters.accompany(run);
  }
  if (chosen.killsHolder) {
    await instances.accompany(run);
  }
}

async function addTimelines(run) {
  for (const instance of run.burst.instances) {
    const after = run.versions.get(instance) ?? 0;
    run.add(instance, await ask(`timeline?${query({ instance, run: run.burst.run, after })}`));
  }
}

async function watchInstances() {
  for (let failed = false; ;) {
    if (!document.hidden) {
      const late = setTimeout(() => setStale(true), STALE);
      try {
        await Promise.all(cards.map(each => each.refresh()));
        if (failed) {
          say(() => '');
        }
        failed = false;
        setStale(false);
      } catch (failure) {
        failed = true;
        setStale(true);
        complain(failure);
      }
      clearTimeout(late);
    }
    await pause(700);
  }
}

/** Whether the cards show what was, and nobody knows what is. */
function setStale(stale) {
  for (const each of cards.filter(other => other.stale !== stale)) {
    each.stale = stale;
    each.render();
  }
}

function setInAddress(name, value) {
  const parameters = new URLSearchParams(location.search);
  parameters.set(name, value);
  history.replaceState(null, '', `?${parameters}${location.hash}`);
}

/** Shows a message, given as a function, so that it can be said again in another language. */
function say(words, isBad = false) {
  message = words;
  byId('message').textContent = message();
  byId('message').classList.toggle('bad', isBad);
}

function complain(failure) {
  say(() => failure.message, true);
}

function theme() {
  return localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

function changeTheme() {
  localStorage.setItem('theme', theme() === 'dark' ? 'light' : 'dark');
  applyTheme();
  renderTexts();
}

function changeLanguage() {
  switchLanguage();
  setInAddress('lang', currentLanguage());
  renderTexts();
}
