/** What stands on top of something else, touches it, leaves its picture, or wraps although it must not: a sentence for each. */
() => {
  const found = [];
  const isShown = element => element.checkVisibility() && element.getBoundingClientRect().width > 0;
  const shown = (selector, root = document) => [...root.querySelectorAll(selector)].filter(isShown);
  const named = element => `${element.tagName} ${element.getAttribute('class') ?? ''} "${element.textContent.trim().slice(0, 40)}"`;
  const common = (a, b) => {
    const [one, other] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    return width > 1 ? Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) : -Infinity;
  };
  const apart = (selector, room, root = document) => {
    const all = shown(selector, root);
    all.forEach((one, i) => all.slice(i + 1).filter(other => !one.contains(other) && !other.contains(one)).forEach(other => {
      if (common(one, other) > -room) {
        found.push(`${named(one)} and ${named(other)}`);
      }
    }));
  };

  apart('.card, .panel', 6);
  apart('.top > *, .side > *, .show > *, .legend, .yours, .chips label', -1);
  shown('.card').forEach(card => apart('strong, .leads, .counts, li, p, button', -1, card));
  shown('.panel').forEach(panel => apart('h3, .verdict, p, dt, dd, .facts li, .said, .cause, .scroll, summary', -1, panel));
  shown('svg.timeline').forEach(picture => {
    apart('text.mark, text.group', -1, picture);
    const frame = picture.getBoundingClientRect();
    shown('text', picture).filter(text => {
      const { left, right } = text.getBoundingClientRect();
      return left < frame.left - 1 || right > frame.right + 1;
    }).forEach(text => found.push(`${named(text)} leaves its picture`));
  });
  for (const element of shown('.verdict, .leads, button')) {
    const range = document.createRange();
    range.selectNodeContents(element);
    if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) {
      found.push(`${named(element)} wraps`);
    }
  }
  return found;
}
