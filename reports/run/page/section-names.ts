/** The titles of the specification's sections. A report may name other sections, which have no title here. */
const names = new Map([
  ['1', 'The service'],
  ['2', 'Resources'],
  ['2.1', 'Model'],
  ['2.2', 'Pagination'],
  ['2.3', 'Chat'],
  ['2.4', 'Message'],
  ['2.5', 'Data source'],
  ['2.6', 'Billing account'],
  ['2.7', 'Error'],
  ['3', 'States and transitions'],
  ['4', 'Endpoints'],
  ['4.1', 'List models'],
  ['4.2', 'Send a message'],
  ['4.3', 'Attach an organization'],
  ['4.4', 'Get a billing account'],
  ['4.5', 'List data sources'],
  ['4.6', 'Delete a data source'],
  ['4.7', 'Other operations'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
]);

/** A section's number, with its title where it is known. */
export function sectionName(section: string): string {
  const name = names.get(section);
  return name === undefined ? section : `${section} ${name}`;
}
