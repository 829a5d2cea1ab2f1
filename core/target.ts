/** A text that no output may contain, and its replacement, such as `$AWC_KEY_ALICE`. */
export type Secret = { readonly key: string; readonly variable: string };

/** The holder of a key, and the organizations that the target file says it is admin of. */
export type Principal = {
  readonly name: string;
  readonly key: string;
  /** The replacement of the key in all output, such as `$AWC_KEY_ALICE`. */
  readonly variable: string;
  /** True if the target file contains the key itself instead of a variable. */
  readonly isWritten?: true;
  /** What prints the key; `key` is then empty until it was run. */
  readonly keyCommand?: { readonly command: string; readonly refreshSeconds: number } | undefined;
  readonly adminOf: readonly string[];
  /** Headers that the target file adds to every request of this principal, with their names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** How TLS connections are secured, if not as usual. PEM texts; the key and the passphrase are secrets. */
export type TlsSettings = {
  /** The authorities to trust, instead of the usual ones. */
  readonly ca?: string | undefined;
  /** The certificate of the client, with its chain. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
  /** The name in the certificate of the server, if it is not that of the base URL. */
  readonly serverName?: string | undefined;
  /** Accepts every certificate. */
  readonly insecure?: true | undefined;
  /** Where the texts come from, as the target file says it. */
  readonly files?: Readonly<Partial<Record<'ca' | 'cert' | 'key', string | undefined>>> | undefined;
};

/** A proxy for requests to a deployment. */
export type ProxySettings = {
  /** May contain a user name and a password, which are secrets. */
  readonly url: string;
  /** Where it comes from: `the target file`, or the name of a variable. */
  readonly from: string;
};

/** Keys that change during a run. Only the connections know: everything else goes on with the first ones. */
export type KeyRenewal = {
  /** Runs the commands that are due. Never rejects: a key stays in use until its command succeeds. */
  readonly refresh: () => Promise<void>;
  /** Increases with every new key. */
  readonly version: () => number;
  /** The text with the latest key in place of the first. */
  readonly latest: (text: string) => string;
  /** The text with the first key in place of the latest. */
  readonly first: (text: string) => string;
};

/** The way to a deployment. */
export type Route = {
  readonly baseUrl: string;
  /** All entry points, `baseUrl` first; undefined if there is only one. */
  readonly baseUrls?: readonly string[] | undefined;
  readonly renewal?: KeyRenewal | undefined;
  /** Returns the proxy for a base URL. */
  readonly proxyFor?: ((baseUrl: string) => ProxySettings | undefined) | undefined;
  readonly tls?: TlsSettings | undefined;
  /** Whether to use HTTP/2; never by default. */
  readonly http2?: 'auto' | 'never' | 'always' | undefined;
};

/** The most characters of a key or another secret, and of all of them: all output is searched for them. */
export const maxSecretLength = 8192;
export const maxSecretsLength = 128 * 1024;

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

/** The target file with every default filled in. */
export type Target = Route & {
  readonly name: string;
  readonly principals: readonly Principal[];
  /** The header of an answer that names the request in the logs of the deployment, in lower case. */
  readonly requestIdHeader?: string | undefined;
  /** The URL of a trace, with {traceId}. */
  readonly traceLink?: string | undefined;
  /** What is secret beside the keys. */
  readonly secrets?: readonly Secret[] | undefined;
  /** Every organization that the file names anywhere, in order of appearance. */
  readonly organizations: readonly Organization[];
  readonly billingAccounts: readonly BillingAccount[];
  /** The name of the idempotency header in lower case, if it is known. */
  readonly idempotencyHeader?: string;
  readonly assistant: {
    readonly quickPrompt: string;
    readonly slowPrompt: string;
    /** How long the suite waits for a response. */
    readonly timeoutSeconds: number;
  };
  readonly limits: {
    readonly maxRequestsPerSecond: number;
    /** How much a measured time may deviate. */
    readonly toleranceMs: number;
    readonly rateProbeRequests: number;
  };
  readonly allow: ReadonlySet<SideEffect>;
};
