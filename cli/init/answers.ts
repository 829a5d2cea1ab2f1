import type { SideEffect } from '../../core/target.ts';
import type { TargetFile } from '../../targets/target-schema.ts';

/** A principal, with the variable that holds its key: init never asks for the key itself. */
export type PrincipalAnswer = {
  readonly name: string;
  readonly variable: string;
  readonly adminOf: readonly string[];
};

export type AccountAnswer = { readonly id: string; readonly owner: string; readonly attachable: readonly string[] };

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
  readonly accounts: readonly AccountAnswer[];
  readonly idempotencyHeader: string | undefined;
  readonly allow: readonly SideEffect[];
};

/** The values of the flags. */
export type Given = {
  readonly baseUrl?: string | undefined;
  readonly name?: string | undefined;
  /** Header to variable. */
  readonly header?: Readonly<Record<string, string>> | undefined;
  /** Files of PEM, relative to the target file. */
  readonly tlsCa?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly http2?: Answers['route']['http2'];
  readonly proxy?: string | undefined;
  /** Name to variable. */
  readonly principal?: Readonly<Record<string, string>> | undefined;
  /** Lists of IDs, separated by commas; `\,` is a comma inside an ID. */
  readonly adminOf?: Readonly<Record<string, string>> | undefined;
  readonly chats?: Readonly<Record<string, string>> | undefined;
  readonly disposable?: Readonly<Record<string, string>> | undefined;
  /** ID to owner. */
  readonly billingAccount?: Readonly<Record<string, string>> | undefined;
  readonly attachable?: Readonly<Record<string, string>> | undefined;
  readonly idempotencyHeader?: string | undefined;
  readonly allow?: string | undefined;
};
