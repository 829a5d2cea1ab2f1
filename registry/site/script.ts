/** Filters rows by words and choices, and compares two columns. Without scripts the pages show everything. */
export const script = `'use strict';
const controls = document.getElementById('controls');
const rows = [...document.querySelectorAll('[data-row]')];
function narrow() {
  const wanted = new FormData(controls);
  const words = wanted.get('words').toLowerCase().split(/\\s+/);
  const columns = wanted.getAll('column').filter((name) => name !== '');
  for (const cell of document.querySelectorAll('[data-column]')) {
    cell.hidden = columns.length > 0 && !columns.includes(cell.dataset.column);
  }
  const filters = [...wanted].filter(([name, value]) => value !== '' && name !== 'words' && name !== 'column');
  let count = 0;
  for (const row of rows) {
    if (row.dataset.differs !== undefined) {
      const values = [...row.querySelectorAll('[data-column]:not([hidden])')].map((cell) => cell.dataset.value);
      row.dataset.differs = new Set(values).size > 1 ? 'yes' : 'no';
      row.querySelector('.difference').hidden = row.dataset.differs === 'no';
    }
    const text = row.textContent.toLowerCase();
    row.hidden = !(filters.every(([name, value]) => row.dataset[name] === value) && words.every((word) => text.includes(word)));
    if (!row.hidden) count += 1;
  }
  for (const group of document.querySelectorAll('[data-group]')) {
    group.hidden = group.querySelector('[data-row]:not([hidden])') === null;
  }
  document.getElementById('nothing-fits').hidden = count > 0;
  document.getElementById('shown').textContent = count === rows.length ? 'All ' + rows.length : count + ' of ' + rows.length;
}
if (controls !== null) {
  controls.hidden = false;
  controls.addEventListener('input', narrow);
  controls.addEventListener('submit', (event) => event.preventDefault());
}
`;
