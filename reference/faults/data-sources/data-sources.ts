import { faultsOf } from '../shared/faults-of.ts';
import { every, few, sources } from '../shared/records.ts';
import { set } from '../shared/values.ts';
import { isSingle } from '../shared/requests.ts';

export const sourceFaults = faultsOf({
  'sources.types': {
    'port-text': {
      sentence: 'port is returned as a string.',
      alter: sources(every, set({ port: '5432' })),
    },
    'single-source-port-text': {
      sentence: 'A page of one data source comes from another serializer, which writes port as a string.',
      alter: () => ({
        sourceShown: (source, request) => (isSingle(request) ? { ...source, port: '5432' } : source),
      }),
    },
    'single-source-id-number': {
      sentence: 'A page of one data source comes from another serializer, which writes the ID as a number.',
      alter: () => ({
        sourceShown: (source, request) => (isSingle(request) ? { ...source, id: 17 } : source),
      }),
    },
    'ssl-flag-number': {
      sentence: 'sslEnabled of one data source is 1, as the old database stores it.',
      alter: sources(few, set({ sslEnabled: 1 })),
    },
  },
  'sources.date-times': {
    'source-created-epoch': {
      sentence: 'createdAt of a data source is a number of seconds since 1970.',
      alter: sources(every, set({ createdAt: 1_761_989_415 })),
    },
    'dates-in-german': {
      sentence: 'Times are written in the language that the client prefers.',
      alter: () => ({
        sourceShown: (source, { headers }) =>
          headers['accept-language']?.startsWith('de') === true
            ? { ...source, createdAt: '30.11.2026, 14:05:09' }
            : source,
      }),
    },
    'healthy-never': {
      sentence: 'lastHealthyAt of a data source that was never healthy is "never".',
      alter: sources(few, set({ lastHealthyAt: 'never' })),
    },
  },
  'sources.no-secret': {
    'password-listed': {
      sentence: 'The whole database row is returned, including the password.',
      alter: sources(every, set({ password: 'correct horse battery staple' })),
    },
    'password-in-connection-string': {
      sentence: 'The error message of a synchronisation contains a connection string with its password.',
      alter: sources(
        few,
        set({ syncErrorMessage: 'cannot reach postgres://reader:s3cr3t-Pa55@db7.example.com:5432/sales' }),
      ),
    },
    'password-in-host': {
      sentence: 'The host is returned as it was entered, with user and password.',
      alter: sources(few, set({ host: 'reader:s3cr3t-Pa55@db7.example.com' })),
    },
    'private-key-on-deletion': {
      sentence: 'The answer to a deletion is the whole database row, including the private key of the SSH tunnel.',
      alter: () => ({
        deletedRecord: set({
          sshPrivateKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----',
        }),
      }),
    },
    'tunnel-key-on-deletion': {
      sentence: 'The answer to the deletion of a data source with an SSH tunnel has its private key.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => ({
        deletedRecord: (source) =>
          source['sshEnabled'] === true
            ? { ...source, sshPrivateKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk' }
            : source,
      }),
    },
  },
  'sources.updated-after-created': {
    'source-updated-before-created': {
      sentence: 'updatedAt of one data source is before its createdAt.',
      alter: sources(few, set({ updatedAt: '2001-01-01T00:00:00.000Z' })),
    },
  },
});
