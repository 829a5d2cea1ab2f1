/** The folder of the shipped profiles. In the package this file is one folder deeper than in a checkout. */
export const shippedFolder = new URL(
  import.meta.url.endsWith('.ts') ? '../../profiles/' : '../../../profiles/',
  import.meta.url,
);
