import type { Fault } from '../../variation.ts';
import { every, few, sources } from '../shared/records.ts';
import { set } from '../shared/values.ts';

export const sourceFaults: readonly Fault[] = [
  {
    name: 'port-text',
    breaks: 'sources.types',
    sentence: 'port is returned as a string.',
    alter: sources(every, set({ port: '5432' })),
  },
  {
    name: 'ssl-flag-number',
    breaks: 'sources.types',
    sentence: 'sslEnabled of one data source is 1, as the old database stores it.',
    alter: sources(few, set({ sslEnabled: 1 })),
  },
  {
    name: 'source-created-epoch',
    breaks: 'sources.date-times',
    sentence: 'createdAt of a data source is a number of seconds since 1970.',
    alter: sources(every, set({ createdAt: 1_761_989_415 })),
  },
  {
    name: 'healthy-never',
    breaks: 'sources.date-times',
    sentence: 'lastHealthyAt of a data source that was never healthy is "never".',
    alter: sources(few, set({ lastHealthyAt: 'never' })),
  },
  {
    name: 'password-listed',
    breaks: 'sources.no-secret',
    sentence: 'The whole database row is returned, including the password.',
    alter: sources(every, set({ password: 'correct horse battery staple' })),
  },
  {
    name: 'password-in-connection-string',
    breaks: 'sources.no-secret',
    sentence: 'The error message of a synchronisation contains a connection string with its password.',
    alter: sources(
      few,
      set({ syncErrorMessage: 'cannot reach postgres://reader:s3cr3t-Pa55@db7.example.com:5432/sales' }),
    ),
  },
  {
    name: 'password-in-host',
    breaks: 'sources.no-secret',
    sentence: 'The host is returned as it was entered, with user and password.',
    alter: sources(few, set({ host: 'reader:s3cr3t-Pa55@db7.example.com' })),
  },
  {
    name: 'private-key-on-deletion',
    breaks: 'sources.no-secret',
    sentence: 'The answer to a deletion is the whole database row, including the private key of the SSH tunnel.',
    alter: () => ({
      deletedRecord: set({
        sshPrivateKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----',
      }),
    }),
  },
  {
    name: 'source-updated-before-created',
    breaks: 'sources.updated-after-created',
    sentence: 'updatedAt of one data source is before its createdAt.',
    alter: sources(few, set({ updatedAt: '2001-01-01T00:00:00.000Z' })),
  },
];
