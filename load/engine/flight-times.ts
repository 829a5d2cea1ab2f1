/** Instants of `performance.now()`. */
export type FlightTimes = {
  /** When it was sent, or was scheduled if it never was. */
  readonly sentAt: number;
  readonly endedAt: number;
  /** Whether it was scheduled before the measured part began. */
  readonly isWarmUp: boolean;
};
