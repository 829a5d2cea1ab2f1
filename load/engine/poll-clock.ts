/**
 * Gives the instant of `performance.now()` at which the socket that is being read was readable at the latest. All sockets that one
 * poll of the event loop finds were readable when it returned, so an answer does not also count the time that the answers before it take.
 */
export function createPollClock(): () => number {
  let readableAt: number | undefined;
  const forget = () => {
    readableAt = undefined;
  };
  return () => {
    if (readableAt === undefined) {
      readableAt = performance.now();
      setImmediate(forget); // it runs after all sockets of this poll, before the next one
    }
    return readableAt;
  };
}
