import { expect, test } from 'vitest';
import { internalsIn } from './internals.ts';

test.each([
  ['a stack trace', 'Error: no\n    at findOne (/srv/app/src/organizations.ts:41:11)\n    at next'],
  ['a stack trace', 'Traceback (most recent call last):\n  File "app.py", line 3, in <module>'],
  ['a stack trace', 'boom\n\tat com.acme.Models.list(Models.java:42)'],
  ['a stack trace', 'boom\n   at Acme.Models.List(String id) in C:\\src\\Models.cs:line 42'],
  ['a stack trace', 'panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.go:7'],
  ['a stack trace', "app/models.rb:12:in `find'"],
  ['a stack trace', 'failed in handlers/models.go:88'],
  ['a stack trace', 'see https://docs.example.com/errors, failed in handlers/models.go:88'],
  ['an exception of its platform', 'java.lang.NullPointerException'],
  ['an exception of its platform', 'System.InvalidOperationException: Sequence contains no elements'],
  ['an exception of its platform', "TypeError: Cannot read properties of undefined (reading 'id')"],
  ['a file path', 'cannot open /var/lib/models/cache'],
  ['a file path', 'error in /app/dist/server.js'],
  ['a file path', 'cannot open C:\\inetpub\\wwwroot\\web.config'],
  ['SQL', "no rows: SELECT * FROM data_sources WHERE id = 'x'"],
  ['SQL', 'failed: UPDATE models SET name = $1'],
  ['SQL', 'select id, name from models where id = 1'],
  ['an error of its database', 'invalid input syntax for type uuid: "abc"'],
  ['an error of its database', 'duplicate key value violates unique constraint "models_pkey"'],
  ['an error of its database', 'SQLSTATE[42P01]: relation "models" does not exist'],
])('%s shows in %j', (kind, text) => {
  expect(internalsIn(text)).toBe(kind);
});

test.each([
  '',
  'The organization was not found.',
  'limit is an integer from 1 to 100.',
  'Select a model from the list, then update it and set its name.',
  'You cannot delete from a deleted organization where you are not an admin.',
  'GET /api/public/organizations/org_1/models is not allowed. See https://docs.example.com/app/errors.html.',
  'Look at 12:30:45 again, at noon or at the latest at 13:00.',
  'See https://docs.example.com/sdk/client.js:12 for the fields.',
  'The error occurred at 2025-01-01T12:00:00.000Z (request 7f3a).',
  'invalid_type: expected string, received null at "message"',
  'Unsupported media type text/plain; expected application/json.',
  'Das geht nicht: unknownOrganization. '.repeat(200),
])('%j shows nothing', (text) => {
  expect(internalsIn(text)).toBeUndefined();
});

test('what the caller sent may be quoted', () => {
  const message = "SELECT name FROM users WHERE id = 'x'";
  expect(internalsIn(`not understood: ${message}`, `{"message":"${message}"}`)).toBeUndefined();
  expect(internalsIn(`not understood: ${message}`, '{}')).toBe('SQL');
});
