import type { BillingAccount, SideEffect } from '../../core/target.ts';
import type { TargetFile } from '../../targets/target-schema.ts';

/** A principal, with the variable that holds its key: init never asks for the key itself. */
export type PrincipalAnswer = {
  readonly name: string;
  readonly variable: string;
  readonly adminOf: readonly string[];
};

export type Answers = {
  readonly name: string;
  readonly baseUrl: string;
  /** Header to variable. */
  readonly headers: Readonly<Record<string, string>>;
  /** The other fields that say how to reach the deployment. */
  readonly route: Pick<TargetFile, 'tls' | 'http2' | 'proxy'>;
  readonly principals: readonly PrincipalAnswer[];
  /** By organization. */
  readonly chats: Readonly<Record<string, readonly string[]>>;
  readonly disposable: Readonly<Record<string, readonly string[]>>;
  readonly accounts: readonly BillingAccount[];
  readonly idempotencyHeader: string | undefined;
  readonly allow: readonly SideEffect[];
};
