/** For the tests of pages: what a target may try, and records that hold it everywhere. */
export const attacks =
  '</script></style></title><script>window.pwned=1</script><img src="https://evil.test/x" onerror="window.pwned=1">' +
  '--><svg onload=window.pwned=1>" autofocus onfocus="window.pwned=1" style="background:url(//evil.test)" \'{{x}}' +
  '<a href="javascript:window.pwned=1">x</a>&lt;b&gt;\u001b[31m\u001b]8;;http://evil.test\u0007\u202eEVIL\u2066\u200f\u0000\ud800';

/** Fields whose schema allows only a few words, so a target cannot fill them. */
const fixed = new Set(
  'format verdict operation level result kind method sentAt startedAt fault state expires class limit traceId'.split(
    ' ',
  ),
);

/** The record with that text in every place that can hold any. */
export function everywhere(value: unknown, text: string, name = ''): unknown {
  if (typeof value === 'string') return fixed.has(name) ? value : text;
  if (Array.isArray(value)) return value.map((item) => everywhere(item, text, name));
  if (typeof value !== 'object' || value === null) return value;
  const isMap = name === 'headers' || name === 'choices';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [isMap ? text : key, everywhere(inner, text, isMap ? '' : key)]),
  );
}
