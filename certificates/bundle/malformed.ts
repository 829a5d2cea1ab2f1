/** A file of a bundle is not what it has to be: one sentence that names the file and the place. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
