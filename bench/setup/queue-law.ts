/** The queue of raw-server.ts: so many are served at once, each for so long. */
export const queueLaw = { servers: 4, serviceMs: 20 } as const;

/** What such a queue serves at most. */
export const queueCeiling = (queueLaw.servers * 1000) / queueLaw.serviceMs;
