import { expect, it } from 'vitest'
import { looksLikeFence } from '../../../../lib/host/sandbox/session/fence-signs.ts'

it.each([
  ['bash: /etc/x: Read-only file system', 'files'],
  ["Error: EROFS: read-only file system, open '/home/a/.npm/x'", 'files'],
  ['error: could not write (os error 30)', 'files'],
  ['mount: /mnt: Operation not permitted', 'refused'],
  ['curl: (7) Failed to connect to localhost port 8765 after 0 ms: Could not connect to server', 'loopback'],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'loopback'],
  ['psql: error: connection to server at "localhost" (::1), port 5432 failed: Connection refused', 'loopback'],
  ['curl: (6) Could not resolve host: example.com', 'network'],
  ['curl: (7) Failed to connect: Network is unreachable', 'network'],
  ['npm error code EAI_AGAIN', 'network'],
  ['curl: (56) CONNECT tunnel failed, response 403', 'network'],
  ["fatal: unable to access 'https://x/': Could not resolve host: x", 'network'],
  ['cat: /home/a/.ssh/id_rsa: Permission denied', 'hidden'],
  ['cat: /home/a/.aws/credentials: No such file or directory', 'hidden'],
] as const)('%s looks like the fence: %s [SANDBOX-note]', (stderr, sign) => {
  expect(looksLikeFence(1, stderr)).toBe(sign)
})

it.each([
  [0, 'Read-only file system'],
  [1, 'error TS2322: Type x'],
  [1, 'cat: missing.txt: No such file or directory'],
  [1, './script: Permission denied'],
  [null, ''],
] as const)('exit code %s with "%s" does not [SANDBOX-note]', (exitCode, stderr) => {
  expect(looksLikeFence(exitCode, stderr)).toBeUndefined()
})
