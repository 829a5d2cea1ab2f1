import { expect, test } from 'vitest';
import { secretIn } from './secrets.ts';

const pem = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----';

test.each<[string, unknown]>([
  ['password', { password: 'correct horse battery staple' }],
  ['sshPassword', { sshPassword: 'x' }],
  ['db_password_encrypted', { db_password_encrypted: 'AQICAHh' }],
  ['passwordHash', { passwordHash: '$2b$10$abcdefghijklmnopqrstuv' }],
  ['auth.accessToken', { auth: { accessToken: 'abc' } }],
  ['options[1].secret', { options: [{}, { secret: 'abc' }] }],
  ['apiKey', { apiKey: '0123456789abcdef0123' }],
  ['sshPrivateKey', { sshPrivateKey: pem }],
  ['certificate', { certificate: pem }],
  ['credentials', { credentials: '{"type":"service_account","client_id":"1"}' }],
  ['google.private_key', { google: { private_key: 'MIIE' } }],
  ['keyfile', { keyfile: '{"private_key": "abc"}' }],
  ['host', { host: 'postgres://reader:s3cr3t@db.example.com:5432/sales' }],
  ['sshHost', { sshHost: 'svc:S3cr3tPass@bastion.example.com' }],
  ['syncErrorMessage', { syncErrorMessage: 'cannot reach mysql://u:p4ss@h/db' }],
  ['syncErrorMessage', { syncErrorMessage: 'Server=h;Database=d;User Id=u;Password=hunter22;' }],
  ['url', { url: 'jdbc:postgresql://h/d?user=u&password=hunter22' }],
  ['options', { options: 'password=hunter22;ssl=true' }],
  ['options', { options: "user=reader, password='hunter 22'" }],
  ['options', { options: 'ssl=true Pwd = "hunter 22"' }],
  ['options', { options: '(SharedAccessKey=x1y2z3)' }],
  ['syncErrorMessage', { syncErrorMessage: 'token=ghp_abcdefghijklmnopqrstuvwxyz0123456789' }],
  ['note', { note: 'dapi0123456789abcdef0123456789abcdef' }],
])('%s gives a secret away', (path, record) => {
  expect(secretIn(record)?.path).toBe(path);
});

test.each<[unknown]>([
  [{ password: null, secret: undefined, token: '' }],
  [{ password: '********', secret: '[REDACTED]', token: '<hidden>', apiKey: '••••••••••••••••••••' }],
  [{ hasPassword: true, sslCustomCertificatesEnabled: true, passwordSet: 'yes', isSecret: 'no' }],
  [
    {
      passwordUpdatedAt: '2025-01-01T00:00:00Z',
      tokenType: 'bearer',
      secretName: 'prod/db',
      accessKeyId: 'AKIAABCDEFGH',
    },
  ],
  [{ secret: 'arn:aws:secretsmanager:eu-central-1:1:secret:db', privateKey: '/etc/ssl/private/db.key' }],
  [{ syncToken: 'abc', nextPageToken: 'def', publicKey: '-----BEGIN PUBLIC KEY-----' }],
  [{ authMethod: 'password', credentials: 'service_account', accountKey: 'acme' }],
  [{ description: 'log in with password=guest', displayName: 'The password: hunter2' }],
  [{ host: 'db.example.com', athenaOutputLocation: 's3://bucket/out/', url: 'https://db.example.com:8443/a@b' }],
  [{ syncErrorMessage: "Access denied for user 'reader'@'10.0.0.1' (using password: YES)" }],
  [{ host: 'reader:****@db.example.com', sshHost: 'git@example.com', url: 'mailto:someone@example.com' }],
  [{ syncErrorMessage: 'FATAL: password authentication failed for user "reader"' }],
  [{ url: 'postgres://reader:${DB_PASSWORD}@db/sales', other: 'mysql://u:%{pw}@h/db', odbc: 'Uid=u;Pwd={{pw}};' }],
  [{ url: 'postgres://reader:****@db/sales', other: 'mongodb://u:<password>@h/d', odbc: 'Uid=u;Pwd=***;' }],
  ['text'],
  [null],
])('%j keeps its secrets', (record) => {
  expect(secretIn(record)).toBeUndefined();
});

test('a deep and wide record is given up on in bounded time', () => {
  let deep: unknown = { password: 'x' };
  for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
  expect(secretIn(deep)).toBeUndefined();
  expect(secretIn(Array.from({ length: 100_000 }, () => 'a=b'))).toBeUndefined();
});
