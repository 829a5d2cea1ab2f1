/**
 * Filters lists, copies curl lines, and shows only what has the status of a tile until it is clicked again: all elements that
 * have a status, and the parts of the page in which one of them is left. Without scripts the page shows everything. A live page
 * replaces elements, so nothing is remembered about them.
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
  const all = requirements.length;
  for (const group of document.querySelectorAll('#requirements .group')) {
    group.hidden = group.querySelector('.requirement:not([hidden])') === null;
    if (count < all) group.open = true;
  }
  document.getElementById('nothing-fits').hidden = count > 0;
  const shown = document.getElementById('shown');
  shown.value = count === all ? shown.defaultValue : count + ' of ' + all + ' requirements';
}
function sift(form) {
  const words = new FormData(form).get('words').toLowerCase().split(/\\s+/);
  for (const row of document.querySelectorAll(form.dataset.filters)) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    row.parentElement.closest('details').open = true;
  }
}
let chosen;
function choose(status) {
  chosen = status;
  for (const tile of document.querySelectorAll('.tile[data-status]')) {
    if (tile.dataset.status === status) tile.setAttribute('aria-current', 'true');
    else tile.removeAttribute('aria-current');
  }
  const isOther = (one) => status !== undefined && one.dataset.status !== status;
  for (const part of document.querySelectorAll('#content > .part')) {
    const own = [...part.querySelectorAll('[data-status]')];
    for (const one of own) {
      one.hidden = isOther(one);
      const list = one.querySelector('details.group');
      if (one.dataset.status === status && list !== null) list.open = true;
    }
    part.hidden = own.length > 0 && own.every(isOther);
  }
  const controls = document.getElementById('controls');
  if (controls === null) return;
  for (const box of controls.querySelectorAll('[name=verdict]')) box.checked = status === undefined || status === box.value;
  narrow(controls);
}
function follow(event, link) {
  if (link.matches('.tile[aria-current]')) {
    event.preventDefault();
    choose();
  } else if (link.matches('.tile[data-status]')) choose(link.dataset.status);
  else if (document.querySelector(link.hash)?.closest('[hidden]')) choose();
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
  for (const one of document.querySelectorAll('.controls, .copy')) one.hidden = false;
  for (const button of document.querySelectorAll('.copy')) button.setAttribute('aria-live', 'polite');
  if (chosen !== undefined) choose(chosen);
}
document.addEventListener('input', ({ target: { form } }) => { if (form.id === 'controls') narrow(form); else sift(form); });
document.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('click', (event) => {
  if (event.target.matches('.copy')) copy(event.target);
  const link = event.target.closest('a[href^="#"]');
  if (link !== null) follow(event, link);
});
document.addEventListener('replaced', prepare);
prepare();
`;
