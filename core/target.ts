/** Somebody who holds a key, and the organizations that the target file says it is admin of. */
export type Principal = {
  readonly name: string;
  readonly key: string;
  /** What stands for the key in everything printed, such as `$AWC_KEY_ALICE`. */
  readonly variable: string;
  /** True where nothing asks for a variable of that name, because the key stands in the target file. */
  readonly isWritten?: true;
  readonly adminOf: readonly string[];
};

/** The side effects that a target file can allow. */
export const sideEffects = ['messages', 'deletions', 'attachments', 'rateLimit', 'load'] as const;
export type SideEffect = (typeof sideEffects)[number];

export type Organization = {
  readonly id: string;
  /** Chats that may be written to. */
  readonly chats: readonly string[];
  /** The only data sources that may be deleted. */
  readonly disposableDataSources: readonly string[];
};

export type BillingAccount = {
  readonly id: string;
  readonly owner: string;
  /** The only organizations that may be attached to it; none of them is attached yet. */
  readonly attachable: readonly string[];
};

/** What is known of a deployment: the target file with every default filled in. */
export type Target = {
  readonly name: string;
  readonly baseUrl: string;
  readonly principals: readonly Principal[];
  /** Every organization that the file names anywhere, in order of appearance. */
  readonly organizations: readonly Organization[];
  readonly billingAccounts: readonly BillingAccount[];
  /** The name of the idempotency header, in lower case, where it is known. */
  readonly idempotencyHeader?: string;
  readonly assistant: {
    readonly quickPrompt: string;
    readonly slowPrompt: string;
    /** How long a response may take before the suite gives up on it. */
    readonly timeoutSeconds: number;
  };
  readonly limits: {
    readonly maxRequestsPerSecond: number;
    /** How far a measured time may be from the promised one. */
    readonly toleranceMs: number;
    readonly rateProbeRequests: number;
  };
  readonly allow: ReadonlySet<SideEffect>;
};
