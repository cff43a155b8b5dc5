// Tests the redaction of secrets in a text that comes in pieces.
// Over 250 lines: one redactor, with all that it hides, leaves alone and holds back.
import { describe, expect, test } from 'vitest'
import { createTextRedactor, indexSecrets } from '../../../lib/policy/secrets/text-redactor.ts'
import { secretShapes } from '../../../lib/policy/secrets/secret-shapes.ts'
import { redactionPattern } from '../../../lib/streams/values/redaction-placeholder.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const values = [
  { kind: 'APP_TOKEN', value: 'tr0ub4dor&3' },
  { kind: 'LONGER', value: 'tr0ub4dor&3-and-more' },
  { kind: 'REPEATED', value: 'aaaaaaaab' },
  { kind: 'UMLAUT', value: 'größe-übung-7' },
  { kind: 'PLAIN', value: 'q1w2e3r4t5z6u7' },
]
const index = indexSecrets(values)

function redact(...pieces: readonly string[]) {
  const kinds: string[] = []
  const redactor = createTextRedactor(index, (kind) => kinds.push(kind))
  const shown = pieces.map((piece) => redactor.push(piece))
  const last = redactor.end()
  return { text: shown.join('') + last, shown, last, kinds }
}

const shapes = secretShapes.filter(({ kind }) => kind !== '')
const examples = shapes.map(({ kind, example }) => [kind, example] as const)

/** Kinds whose length has a bound: a longer text is none of them, or goes on with other text. */
const boundedKinds: ReadonlySet<string> = new Set(
  'private-key url-password fireworks-key replicate-token hugging-face-token google-key aws-key-id digitalocean-token databricks-token npm-token'.split(' '), // prettier-ignore
)

/** The part of the example that is no prefix, for those whose prefix stays. */
const secretPart = (example: string): string =>
  /(?:Bearer |Basic |=|= |:\/\/ann:)((?:(?!@)[^\s"])+)/.exec(example)?.[1] ?? example

describe('redacts', () => {
  test.each(examples)('%s: %s [S18b]', (kind, example) => {
    const { text, kinds } = redact(`before ${example} behind\n`)
    expect(text).toContain(`[redacted:${kind}]`)
    expect(text).not.toContain(secretPart(example))
    expect(text).toMatch(/^before .*behind\n$/s)
    expect(kinds).toEqual([kind])
  })

  test.each(examples)('%s, split anywhere, and character by character: %s [S18b]', (_kind, example) => {
    const whole = `x=1 ${example}\ny`
    const { text } = redact(whole)
    for (let at = 0; at <= whole.length; at += 1) expect(redact(whole.slice(0, at), whole.slice(at)).text).toBe(text)
    expect(redact(...whole.split('')).text).toBe(text)
  })

  test.each(examples.filter(([kind]) => !boundedKinds.has(kind)))(
    '%s to its end, however long: %s [S18b]',
    (kind, example) => {
      const text = `before ${example}${example.slice(-8).repeat(15)} behind\n`
      const { text: shown } = redact(text)
      expect(shown).toMatch(new RegExp(`^before .*\\[redacted:${kind}\\] behind\n$`))
      for (let at = 0; at < text.length; at += 7) expect(redact(text.slice(0, at), text.slice(at)).text).toBe(shown)
    },
  )

  test.each([
    ['a value of a variable', 'a tr0ub4dor&3 b', 'a [redacted:APP_TOKEN] b'],
    ['the longer of two values', 'tr0ub4dor&3-and-more.', '[redacted:LONGER].'],
    ['the shorter one if the longer one does not come', 'tr0ub4dor&3-and-mo', '[redacted:APP_TOKEN]-and-mo'],
    ['a value behind its own beginning', 'aaaaaaaaaaaab', 'aaaa[redacted:REPEATED]'],
    ['a value inside a word', 'xxtr0ub4dor&3yy', 'xx[redacted:APP_TOKEN]yy'],
    ['a value that is not ASCII', '»größe-übung-7«', '»[redacted:UMLAUT]«'],
    ['a value by its name, behind the name of its variable', 'APP_TOKEN=tr0ub4dor&3', 'APP_TOKEN=[redacted:APP_TOKEN]'],
    ['a long value by its name too', 'APP_TOKEN=q1w2e3r4t5z6u7.', 'APP_TOKEN=[redacted:PLAIN].'],
    [
      'a token by its form, behind the name of a variable',
      `APP_TOKEN=ghp_${'a1'.repeat(18)}.`,
      'APP_TOKEN=[redacted:github-token].',
    ],
    ['two secrets side by side', 'tr0ub4dor&3aaaaaaaab', '[redacted:APP_TOKEN][redacted:REPEATED]'],
  ])('%s [S18b]', (_name, text, expected) => {
    expect(redact(text).text).toBe(expected)
    expect(redact(...text.split('')).text).toBe(expected)
  })

  test.each([
    ['with colours inside', 'tr0\u001B[31mub4\u001B[0mdor&3', '[redacted:APP_TOKEN]\u001B[31m\u001B[0m'],
    ['with colours around', '\u001B[31mtr0ub4dor&3\u001B[0m.', '\u001B[31m[redacted:APP_TOKEN]\u001B[0m.'],
    ['without a secret', 'a\u001B[1mb\u001B[0m', 'a\u001B[1mb\u001B[0m'],
  ])('a text %s, and keeps every control sequence [S18b]', (_name, text, expected) => {
    expect(redact(text).text).toBe(expected)
    for (let at = 0; at <= text.length; at += 1) expect(redact(text.slice(0, at), text.slice(at)).text).toBe(expected)
    expect(redact(...text.split('')).text).toBe(expected)
  })

  test('a private key in JSON, behind line numbers, and one that is cut off [S18b]', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
    const json = `{"key": "-----BEGIN RSA PRIVATE KEY-----\\n${line}\\nabcd\\n-----END RSA PRIVATE KEY-----\\n", "a": 1}`
    expect(redact(json).text).toBe('{"key": "[redacted:private-key]\\n", "a": 1}')
    const numbered = `3:-----BEGIN PRIVATE KEY-----\n4:${line}\n5:abcd==\n6:-----END PRIVATE KEY-----\n7:end`
    expect(redact(numbered).text).toBe('3:[redacted:private-key]\n7:end')
    expect(redact(`-----BEGIN PRIVATE KEY-----\n${line}\n${line}\nThe end: of it\n`).text).toBe(
      '[redacted:private-key]The end: of it\n',
    )
    const fullLines = `-----BEGIN PRIVATE KEY-----\n${line}\n${line}\n-----END PRIVATE KEY-----\nend`
    expect(redact(fullLines).text).toBe('[redacted:private-key]\nend')
    const interrupted = `-----BEGIN PRIVATE KEY-----\n${line}\nabcd\nThe end: of it\n-----END PRIVATE KEY-----\n`
    expect(redact(interrupted).text).toBe('[redacted:private-key]The end: of it\n-----END PRIVATE KEY-----\n')
    for (const last of ['YWJj\n', 'YWI=\r\n', 'YQ=='])
      expect(redact(`-----BEGIN PRIVATE KEY-----\n${line}\n${last}`).text).toBe('[redacted:private-key]')
    expect(redact(...fullLines.split('')).text).toBe(redact(fullLines).text)
    expect(redact(...interrupted.split('')).text).toBe(redact(interrupted).text)
    expect(redact(...json.split('')).text).toBe(redact(json).text)
    expect(redact(...numbered.split('')).text).toBe(redact(numbered).text)
  })
})

const random = (length: number, characters: string): string => {
  let seed = 42
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return characters[seed % characters.length]
  }).join('')
}
const base64Characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

describe('redacts exactly', () => {
  test.each([
    ['a value of twelve characters', 'SECRET=abcdefghij1k', 'SECRET=[redacted:variable]'],
    ['a value in double quotes', 'SECRET="abcdefghij1k"', 'SECRET="[redacted:variable]"'],
    ['a value with a dot before letters', 'SECRET=.abcdefghij1k', 'SECRET=[redacted:variable]'],
    ['a value with slashes', 'SECRET=a/b//cdefghij1k', 'SECRET=[redacted:variable]'],
    ['a value with a dot and a colon', 'SECRET=a.b:cdefghij1k', 'SECRET=[redacted:variable]'],
    ['a value in single quotes', "SECRET='abcdefghij1k'", "SECRET='[redacted:variable]'"],
    ['capitals and the digit 0', 'SECRET=ABCDEFGHIJK0', 'SECRET=[redacted:variable]'],
    ['the digit 9', 'SECRET=abcdefghijk9', 'SECRET=[redacted:variable]'],
    ['a as the only letter', 'SECRET=12345678901a', 'SECRET=[redacted:variable]'],
    ['A as the only letter', 'SECRET=12345678901A', 'SECRET=[redacted:variable]'],
    ['z as the only letter', 'SECRET=12345678901z', 'SECRET=[redacted:variable]'],
    ['Z as the only letter', 'SECRET=12345678901Z', 'SECRET=[redacted:variable]'],
    [
      'a token without its word',
      'Authorization: Bearer abcdefghijklmno1',
      'Authorization: Bearer [redacted:authorization]',
    ],
    ['a key whose digit comes late', `sk-${'a'.repeat(39)}1`, '[redacted:api-key]'],
    ['a web token with a head of eight characters', 'eyJabcdefgh.eyJhIjoxfQ.abc', '[redacted:json-web-token]'],
    ['a web token with a long head', `eyJ${'a'.repeat(300)}.eyJhIjoxfQ.abc`, '[redacted:json-web-token]'],
    [
      'a password of three characters',
      'https://ann:xyz@example.com',
      'https://ann:[redacted:url-password]@example.com',
    ],
  ])('%s [S18b]', (_name, text, expected) => {
    expect(redact(`a ${text} b`).text).toBe(`a ${expected} b`)
    expect(redact(...`a ${text} b`.split('')).text).toBe(`a ${expected} b`)
  })
})

describe('leaves alone', () => {
  test.each([
    ['a commit', 'commit 3de51c08f5a2b4f6d1e0c9b8a7968574635241f0\nMerge: db0ce159 67a93b09'],
    ['a SHA-256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  package.json'],
    ['a UUID', 'id: 123e4567-e89b-12d3-a456-426614174000, task-123e4567-e89b-12d3-a456-426614174000'],
    [
      'a lock file',
      '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
    ],
    ['a yarn lock', 'resolved "https://packages.example/ms/-/ms-2.1.3.tgz#574c8138ce1d2b5861f0b44579dbadd60c6615b2"'],
    ['a Cargo lock', 'checksum = "b6f1c8a4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6"'],
    ['an image in base64', `data:image/png;base64,iVBORw0KGgoAAAANSUhEUg${random(20_000, base64Characters)}=`],
    ['a bundle', random(20_000, `${base64Characters}._-,;(){}[]"'`)],
    ['an address with a port', 'http://localhost:8080/a http://127.0.0.1:3000 https://example.com:443/x@y'],
    ['an address with a user', 'git@github.com:a/b.git ssh://git@github.com:22/a https://ann@example.com/'],
    [
      'words with dashes',
      'sk-fading-circle-container-of-the-page xai-the-word pypi-package npm_config_registry hf_hub_download',
    ],
    ['part of a word', 'task-abcdefghij0123456789 risk-0123456789abcdefghij_AKIAIOSFODNN7EXAMPLEx'],
    [
      'a public key',
      'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 ann@host\n-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    ],
    ['a certificate', `-----BEGIN CERTIFICATE-----\n${random(64, base64Characters)}\n-----END CERTIFICATE-----`],
    [
      'a reference to a variable',
      'API_KEY=$OTHER_KEY TOKEN="${{ secrets.NPM_TOKEN }}" SECRET=$(pass show x1) PASSWORD=`cat a1`',
    ],
    ['a short or plain value', 'PASSWORD=hunter2 TOKEN=development SECRET=changeme-please MAX_TOKEN=123456789012345'],
    ['a path', 'SSH_KEY=/home/ann/.ssh/id_ed25519 TLS_KEY=./certs/server1.pem TOKEN=https://example.com/token1'],
    ['the key of a cache', 'CACHE_KEY=v1-linux-abc123def456 PUBLIC_KEY=abcdef1234567890'],
    ['source text', 'const token = tokens[index1]; if (API_KEY===undefined) throw new TypeError("no key 1234567890")'],
    ['prose about authorization', 'Use the header "Authorization: Bearer <token>" or Basic authentication.'],
    ['a placeholder', 'S3_SECRET=[redacted:S3_SECRET] [redacted:github-token] Bearer [redacted:authorization]'],
    [
      'a token that is too long or short',
      `AKIAIOSFODNN7EXAMPL AKIAIOSFODNN7EXAMPLEE npm_${'a'.repeat(37)} ghp_${'a'.repeat(35)}`,
    ],
    ['a token before a dash or a letter of another script', `npm_${'a'.repeat(36)}-x npm_${'a'.repeat(35)}\u00E1`],
    ['a key without the digit that it needs', `fw_${'a'.repeat(30)} sk-${'a'.repeat(40)}1`],
    ['a value without a letter', 'SECRET=12345678901~ SECRET=12345678901_ SECRET=12345678901@'],
    ['a web token with a short head', 'eyJabcdefg.eyJhIjoxfQ.abc'],
    ['a short password of an address, and none', 'https://ann:xy@example.com https://ann"example@example.com'],
    ['a path above or at home', 'TLS_KEY=../certs/server1.pem SSH_KEY=~/keys/server1.pem'],
    ['a value of eleven characters', 'SECRET=abcdefghi1k'],
    ['characters whose lower bits begin a secret', '\u00F3\u00EB \u00E5\u00F9 \u0173\u016B'],
    ['JSON in base64', 'eyJhbGciOiJIUzI1NiJ9 eyJhIjoxfQ.abc'],
    ['characters of all planes', '𝒜\u{10FFFF}ÿ\0\u007F\uD800x'],
  ])('%s [S18b]', (_name, text) => {
    expect(redact(text)).toMatchObject({ text, kinds: [] })
    expect(redact(...(text.match(/[^]{1,7}/g) ?? [])).text).toBe(text)
  })

  test('what it put there before', () => {
    const once = redact(examples.map(([, example]) => `${example}\n`).join('')).text
    expect(once.match(redactionPattern)).toHaveLength(examples.length)
    expect(redact(once)).toMatchObject({ text: once, kinds: [] })
  })
})

describe('holds back', () => {
  test('what may be the beginning of a secret, and nothing else', () => {
    expect(redact('a sk', '-').shown).toEqual(['a ', ''])
    expect(redact('plain text.', ' more.').shown).toEqual(['plain text.', ' more.'])
    expect(redact('xtr0ub', 'adour.').shown).toEqual(['x', 'tr0ubadour.'])
    expect(redact('half', ' of it.').shown).toEqual(['half', ' of it.']) // fw_ begins a word
    expect(redact('a f', 'ew').shown).toEqual(['a ', 'few'])
    expect(redact('done.\n', 'PASSWORD: ').shown).toEqual(['done.\n', 'PASSWORD: '])
  })

  test.each([
    ['sk-', 'a', 43],
    ['eyJ', 'a', 502],
    ['https://', 'a', 102],
    ['https://ann:', 'a', 206],
    ['APP_SECRET=', 'a', 106],
    ['-----BEGIN ', 'A', 80],
    ['AKIA', 'A', 20],
    ['npm_', 'a', 40],
  ])('a bounded length: %s, and %s again and again, at most %i', (prefix, letter, bound) => {
    const redactor = createTextRedactor(index, () => undefined)
    let [pushed, shown, most] = [0, 0, 0]
    for (const piece of [prefix, ...letter.repeat(2_000).split('')]) {
      pushed += piece.length
      shown += redactor.push(piece).length
      most = Math.max(most, pushed - shown)
    }
    expect(most).toBe(bound)
  })

  test('no text behind the end of a private key, nor more than 8 KiB of a line that may be part of it', () => {
    const begin = '-----BEGIN PRIVATE KEY-----\n'
    const line = `${random(64, base64Characters)}\n`
    expect(redact(`${begin}${line}YWJj\n-----END PRIVATE KEY-----\nbehind\n`, '.').shown[0]).toContain('behind')
    expect(redact(`${begin}${line}YWJj\nbehind. It goes on\nand on`, '.').shown[0]).toContain('behind')
    const { shown, last } = redact(begin, ...Array.from({ length: 30 }, () => '.'.repeat(1_000)))
    expect(shown.join('')).toBe(`[redacted:private-key]${'.'.repeat(30_000)}`)
    expect(last).toBe('')
  })

  test('nothing at the end', () => {
    expect(redact('the end is sk-')).toMatchObject({ text: 'the end is sk-', last: 'sk-' })
    expect(redact('\u001B[3')).toMatchObject({ text: '\u001B[3' })
  })
})

test('a split changes nothing, whatever the text', () => {
  const parts = [...examples.map(([, example]) => example), ...values.map(({ value }) => value)]
  const pieces = [
    'a',
    ' ',
    '\n',
    '-',
    '=',
    '\u001B[1m',
    'sk',
    'TOKEN=',
    '://',
    ...parts,
    ...parts.map((part) => part.slice(0, 9)),
  ]
  let seed = 7
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 1_500; round += 1) {
    const text = Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join('')
    const split = text.match(new RegExp(`[^]{1,${1 + next(20)}}`, 'g')) ?? []
    const whole = redact(text)
    expect(redact(...split), JSON.stringify(text)).toMatchObject({ text: whole.text, kinds: whole.kinds })
  }
})

test('time is linear, whatever the text', () => {
  const hostile = [
    'sk-',
    'eyJ',
    '-----BEGIN ',
    '://a:',
    'TOKEN=',
    'aaaaaaaa',
    '\u001B[',
    'Bearer ',
    '-----BEGIN PRIVATE KEY-----\n',
  ]
  for (const part of hostile) {
    const once = (length: number): number => {
      const text = part.repeat(length / part.length)
      const began = cpuMs()
      redact(text)
      return cpuMs() - began
    }
    once(20_000)
    expect(once(400_000), part).toBeLessThan(1_000)
  }
})
