/** The texts of the page in the chosen language. */
const files = {};
let language = initial();

function initial() {
  const asked = new URLSearchParams(location.search).get('lang') ?? localStorage.getItem('language') ?? navigator.language;
  return asked.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export async function load() {
  for (const each of ['en', 'zh']) {
    files[each] = await (await fetch(`page/${each}.json`)).json();
  }
}

export function switchLanguage() {
  language = language === 'en' ? 'zh' : 'en';
  localStorage.setItem('language', language);
}

export const currentLanguage = () => language;

/** The text of this key, with its {places} filled in. */
export function text(key, places = {}) {
  const found = key.split('.').reduce((level, step) => level?.[step], files[language]);
  return String(found ?? key).replace(/\{(\w+)\}/g, (whole, place) => places[place] ?? whole);
}

/** Fills every element that names a text. */
export function fill() {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  for (const element of document.querySelectorAll('[data-text]')) {
    element.textContent = text(element.dataset.text);
  }
  for (const element of document.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', text(element.dataset.label));
  }
}
