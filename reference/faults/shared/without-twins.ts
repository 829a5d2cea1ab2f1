/** Choices that leave no two IDs that differ in case alone. */
export const withoutTwins: Readonly<Record<string, readonly string[]>> = {
  ids: ['uuid', 'number', 'slash', 'space', 'percent', 'unicode', 'reserved', 'long', 'dots'],
  models: ['0', '1', '3'],
  sources: ['0', '1', '3'],
};
