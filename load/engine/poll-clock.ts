/** One look of the event loop at its sockets finds at most so many (libuv). One poll looks again as long as it finds all of them. */
const mostAtOnce = 1024;

/**
 * Gives the instant of `performance.now()` at which the socket that is being read was readable at the latest. All sockets that one
 * look of the event loop finds were readable when it returned, so an answer does not also count the time that the answers before it
 * take. An answer to a request that was sent after that instant belongs to a later look.
 */
export function createPollClock(): (sentAt: number) => number {
  let readableAt: number | undefined;
  let found = 0;
  const forget = () => {
    readableAt = undefined;
  };
  return (sentAt) => {
    // It runs after all sockets of this poll, before the next one.
    if (readableAt === undefined) setImmediate(forget);
    if (readableAt === undefined || sentAt > readableAt || found >= mostAtOnce) {
      readableAt = performance.now();
      found = 0;
    }
    found += 1;
    return readableAt;
  };
}
