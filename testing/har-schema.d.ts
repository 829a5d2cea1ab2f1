/** The published schemas of HAR 1.2, by name; the package brings no types. */
declare module 'har-schema' {
  const schemas: Readonly<Record<string, object>>;
  export default schemas;
}
