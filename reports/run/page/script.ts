/**
 * Filters the requirements and copies curl lines. Without scripts the page shows everything. A live page replaces elements, so
 * nothing is remembered about them.
 */
export const script = `'use strict';
function narrow(controls) {
  const wanted = new FormData(controls);
  const words = wanted.get('words').toLowerCase().split(/\\s+/);
  const verdicts = wanted.getAll('verdict');
  const level = wanted.get('level');
  const requirements = [...document.querySelectorAll('.requirement')];
  let count = 0;
  for (const one of requirements) {
    const text = one.textContent.toLowerCase();
    one.hidden = !verdicts.includes(one.dataset.verdict) || (level !== '' && one.dataset.level !== level)
      || !words.every((word) => text.includes(word));
    if (!one.hidden) count += 1;
  }
  for (const group of document.querySelectorAll('.group')) {
    group.hidden = group.querySelector('.requirement:not([hidden])') === null;
  }
  document.getElementById('nothing-fits').hidden = count > 0;
  const all = requirements.length;
  document.getElementById('shown').textContent = count === all ? 'All ' + all + ' requirements' : count + ' of ' + all + ' requirements';
}
async function copy(button) {
  const line = button.parentElement.querySelector('pre');
  try {
    await navigator.clipboard.writeText(line.textContent);
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(line);
    button.textContent = 'Selected';
  }
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
}
function prepare() {
  for (const one of document.querySelectorAll('#controls, .copy')) one.hidden = false;
  for (const button of document.querySelectorAll('.copy')) button.setAttribute('aria-live', 'polite');
}
document.addEventListener('input', ({ target }) => { if (target.form?.id === 'controls') narrow(target.form); });
document.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('click', ({ target }) => { if (target.matches('.copy')) copy(target); });
document.addEventListener('replaced', prepare);
prepare();
`;
