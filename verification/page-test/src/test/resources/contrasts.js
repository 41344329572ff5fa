/** The contrast of each kind of bar and line against what is behind it, as the browser paints them. */
() => {
  const rgb = color => color.match(/[\d.]+/g).slice(0, 3).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map(part => part / 255)
    .map(part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [.2126, .7152, .0722][i], 0);
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + .05) / (dark + .05);
  };
  const paint = (selector, property) => rgb(getComputedStyle(document.querySelector(selector))[property]);
  const lane = paint('.timeline .lane', 'fill');
  const card = paint('.panel', 'backgroundColor');
  const contrasts = {};
  for (const bar of ['rect.wait', 'rect.work', 'path.hand', '#hatch-back', 'rect.crowd', 'rect.crowd.over', 'text.busy']) {
    const found = document.querySelector(`.timeline ${bar}`);
    if (found) {
      const style = getComputedStyle(found);
      const opacity = Number(style.opacity);
      const behind = bar.startsWith('rect.crowd') ? card : lane;
      const painted = rgb(bar === 'path.hand' ? style.stroke : style.fill).map((part, i) => part * opacity + behind[i] * (1 - opacity));
      contrasts[bar] = contrast(painted, behind);
    }
  }
  return contrasts;
}
