import { ask, pause, query } from './api.js';
import { Instances } from './instances.js';
import { Masters } from './masters.js';
import { Panel, make } from './panel.js';
import { Run } from './run.js';
import { currentLanguage, fill, load, switchLanguage, text } from './texts.js';

const POLL = 200;
const START_LIMIT = 90_000;
const FAILURES_LIMIT = 8;
const byId = id => document.getElementById(id);

const instances = new Instances(byId('instances'));
const masters = new Masters(byId('masters'), failure => say(failure.message, true));
const panels = [new Panel(byId('locked'), true), new Panel(byId('unlocked'), false)];
let scenarios = [];
let chosen = null;

await start();

async function start() {
  const [choices, codes] = await Promise.all([ask('scenarios'), fetch('page/scenarios.json').then(file => file.json()), load()]);
  scenarios = codes.map(code => ({ ...code, ...choices.find(choice => choice.name === code.name) })).filter(each => each.requests);
  const asked = new URLSearchParams(location.search).get('scenario');
  chosen = scenarios.find(scenario => scenario.name === asked) ?? scenarios[0];
  byId('theme').addEventListener('click', changeTheme);
  byId('language').addEventListener('click', changeLanguage);
  byId('controls').addEventListener('submit', submit);
  addEventListener('resize', () => panels.forEach(panel => panel.render()));
  applyTheme();
  renderTexts();
  choose(chosen);
  watchInstances();
}

function renderTexts() {
  fill();
  byId('language').textContent = text('otherLanguage');
  byId('language').lang = currentLanguage() === 'en' ? 'zh-CN' : 'en';
  byId('theme').textContent = text(theme() === 'dark' ? 'toLight' : 'toDark');
  byId('scenarios').replaceChildren(byId('scenarios').firstElementChild, ...scenarios.map(chip));
  renderStory();
  instances.render();
  masters.render();
  panels.forEach(panel => panel.render());
}

function chip(scenario) {
  const label = make('label');
  const input = make('input', { type: 'radio', name: 'scenario', value: scenario.name });
  input.checked = scenario === chosen;
  input.addEventListener('change', () => choose(scenario));
  label.append(input, make('span', {}, text(`scenarios.${scenario.name}.name`)));
  return label;
}

function choose(scenario) {
  chosen = scenario;
  byId('requests').value = scenario.requests;
  byId('scenarios').querySelector(':checked').scrollIntoView({ block: 'nearest', inline: 'center' });
  panels.forEach(panel => panel.show(null));
  say('');
  renderStory();
  masters.show(scenario.hasMasters === true).catch(failure => say(failure.message, true));
}

function renderStory() {
  byId('scenario-name').textContent = text(`scenarios.${chosen.name}.name`);
  byId('scenario-text').textContent = text(`scenarios.${chosen.name}.text`);
  byId('scenario-code').textContent = chosen.code.join('\n');
  byId('scenario-source').textContent = chosen.source;
}

async function submit(event) {
  event.preventDefault();
  const fire = byId('fire');
  fire.disabled = true;
  try {
    await twoInstances();
    if (masters.shown) {
      say(text('mastersWait'));
      await masters.ready();
    }
    const requests = byId('requests').value;
    const shown = byId('both').checked ? panels : panels.slice(0, 1);
    panels.forEach(panel => panel.show(null));
    for (const panel of shown) {
      say(text(panel.locked ? 'runningLocked' : 'runningUnlocked'));
      await follow(panel, requests);
    }
    say(text('finished'));
  } catch (failure) {
    say(failure.message, true);
  } finally {
    fire.disabled = false;
  }
}

/** Starts a second instance if there is only one: with one, the lock has little to do. */
async function twoInstances() {
  await instances.refresh();
  if (instances.running.length >= 2) {
    return;
  }
  say(text('secondStarting'));
  await instances.startSecond();
  for (const begin = Date.now(); instances.running.length < 2; await instances.refresh()) {
    if (Date.now() - begin > START_LIMIT) {
      throw new Error(text('secondFailed'));
    }
    await pause(POLL);
  }
}

/** Fires, and draws until every request has been answered. */
async function follow(panel, requests) {
  const withMasters = masters.shown && panel.locked;
  const run = new Run(panel.locked);
  run.update(await ask(`bursts?${query({ scenario: chosen.name, requests, locked: panel.locked })}`, 'POST'));
  try {
    await draw(run, panel, withMasters);
  } finally {
    await masters.comeBack();
  }
}

async function draw(run, panel, withMasters) {
  let failures = 0;
  while (!run.isOver) {
    await pause(POLL);
    run.update(await ask(`bursts/${run.burst.run}`));
    if (withMasters) {
      await masters.accompany(run);
    }
    try {
      await addTimelines(run);
      failures = 0;
    } catch (failure) {
      // A busy instance may miss one answer; the next one contains the same data.
      if (++failures === FAILURES_LIMIT) {
        throw failure;
      }
    }
    panel.show(run);
  }
}

async function addTimelines(run) {
  for (const instance of run.burst.instances) {
    const after = run.versions.get(instance) ?? 0;
    run.add(instance, await ask(`timeline?${query({ instance, run: run.burst.run, after })}`));
  }
}

async function watchInstances() {
  for (;;) {
    if (!document.hidden) {
      await Promise.all([instances.refresh(), masters.refresh()]).catch(failure => say(failure.message, true));
    }
    await pause(700);
  }
}

function say(message, isBad = false) {
  byId('message').textContent = message;
  byId('message').classList.toggle('bad', isBad);
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
  renderTexts();
}
