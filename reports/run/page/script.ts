/** Filters the requirements and copies curl lines. Without scripts the page shows everything. */
export const script = `'use strict';
const controls = document.getElementById('controls');
const requirements = [...document.querySelectorAll('.requirement')].map((element) => ({
  element,
  verdict: element.dataset.verdict,
  level: element.dataset.level,
  text: element.textContent.toLowerCase(),
}));
function narrow() {
  const wanted = new FormData(controls);
  const words = wanted.get('words').toLowerCase().split(/\\s+/);
  const verdicts = wanted.getAll('verdict');
  const level = wanted.get('level');
  let count = 0;
  for (const one of requirements) {
    const fits = verdicts.includes(one.verdict) && (level === '' || one.level === level)
      && words.every((word) => one.text.includes(word));
    one.element.hidden = !fits;
    if (fits) count += 1;
  }
  for (const group of document.querySelectorAll('.group')) {
    group.hidden = group.querySelector('.requirement:not([hidden])') === null;
  }
  document.getElementById('nothing-fits').hidden = count > 0;
  const all = requirements.length;
  document.getElementById('shown').textContent = count === all ? 'All ' + all + ' requirements' : count + ' of ' + all + ' requirements';
}
controls.hidden = false;
controls.addEventListener('input', narrow);
controls.addEventListener('submit', (event) => event.preventDefault());
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
for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => copy(button));
}
`;
