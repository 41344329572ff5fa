/** What was shown last of each scenario, kept in this tab: a page that is loaded again shows it. */

export function keep(scenario, shown) {
  try {
    sessionStorage.setItem(`shown: ${scenario}`, JSON.stringify(shown, plain));
  } catch {
    // It has no room left, or is not allowed: the page works without.
  }
}

/** Null if there is nothing. */
export function kept(scenario) {
  return JSON.parse(sessionStorage.getItem(`shown: ${scenario}`), whole);
}

const plain = (key, value) => value instanceof Map ? { map: [...value] } : value instanceof Set ? { set: [...value] } : value;
const whole = (key, value) => value?.map instanceof Array ? new Map(value.map) : value?.set instanceof Array ? new Set(value.set) : value;
