import type { Fault } from '../../variation.ts';
import { every, few, sources } from '../shared/records.ts';

export const sourceFaults: readonly Fault[] = [
  {
    name: 'port-text',
    breaks: 'sources.types',
    sentence: 'port is a text.',
    alter: sources(every, (source) => ({ ...source, port: '5432' })),
  },
  {
    name: 'ssl-flag-number',
    breaks: 'sources.types',
    sentence: 'sslEnabled is 1 on one data source, as the old database has it.',
    alter: sources(few, (source) => ({ ...source, sslEnabled: 1 })),
  },
  {
    name: 'source-created-epoch',
    breaks: 'sources.date-times',
    sentence: 'createdAt of a data source is in seconds since 1970.',
    alter: sources(every, (source) => ({ ...source, createdAt: 1_761_989_415 })),
  },
  {
    name: 'healthy-never',
    breaks: 'sources.date-times',
    sentence: 'lastHealthyAt of a data source that never was is "never".',
    alter: sources(few, (source) => ({ ...source, lastHealthyAt: 'never' })),
  },
  {
    name: 'password-listed',
    breaks: 'sources.no-secret',
    sentence: 'The whole row is sent, its password too.',
    alter: sources(every, (source) => ({ ...source, password: 'correct horse battery staple' })),
  },
  {
    name: 'password-in-connection-string',
    breaks: 'sources.no-secret',
    sentence: 'A connection string with its password stands in the error of a synchronisation.',
    alter: sources(few, (source) => ({
      ...source,
      syncErrorMessage: 'cannot reach postgres://reader:s3cr3t-Pa55@db7.example.com:5432/sales',
    })),
  },
  {
    name: 'password-in-host',
    breaks: 'sources.no-secret',
    sentence: 'What was typed into the field of the host is shown as it is, user and password too.',
    alter: sources(few, (source) => ({ ...source, host: 'reader:s3cr3t-Pa55@db7.example.com' })),
  },
  {
    name: 'private-key-on-deletion',
    breaks: 'sources.no-secret',
    sentence: 'The answer to a deletion is the row as it was, with the private key of its tunnel.',
    alter: (rules) => ({
      deletedRecord: (record, all, request) => ({
        ...rules.deletedRecord(record, all, request),
        sshPrivateKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----',
      }),
    }),
  },
  {
    name: 'source-updated-before-created',
    breaks: 'sources.updated-after-created',
    sentence: 'updatedAt of one data source is before it was made.',
    alter: sources(few, (source) => ({ ...source, updatedAt: '2001-01-01T00:00:00.000Z' })),
  },
];
