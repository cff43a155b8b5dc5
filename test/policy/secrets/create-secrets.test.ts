// Tests which variables and values a session hides, and which its commands do not get.
import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../../lib/policy/secrets/create-secrets.ts'
import type { SecretsOptions } from '../../../lib/policy/secrets/create-secrets.ts'

const secret = 's3cret-value-1'

function redaction(env: Readonly<Record<string, string>>, more: Partial<SecretsOptions> = {}) {
  const { secrets } = createSecrets({ env, keyVariables: [], ...more })
  if (secrets === undefined) throw new Error('nothing is hidden')
  return secrets.begin()
}

const shown = (name: string, value: string, more?: Partial<SecretsOptions>): string =>
  redaction({ [name]: value }, more).text(`a ${value} b`)

describe('the value of a variable', () => {
  it.each(
    `GITHUB_TOKEN DB_PASSWORD AWS_SECRET_ACCESS_KEY API_KEY APIKEY my_auth_key ACCESSTOKEN REFRESH_TOKEN REFRESHTOKEN SECRET SECRETS DB_PASS
    MYSQL_PASSWD GPG_PASSPHRASE ADMIN_PW AWS_CREDENTIALS CREDENTIAL GITLAB_PAT SECRET_KEY_BASE TOKEN_2 STRIPE_SECRET_LIVE
    APP_SECRET_VALUE PGPASSWORD MY_PGPASSWORD PGPASSWORD_2 DBPASSWORD SSHPASS MY_SSHPASS MYSQL_PWD CI_MYSQL_PWD REDISCLI_AUTH TOKEN_22 SECRET_ABCDEFGHIJKL MYPUBLIC_KEY`.split(
      /\s+/,
    ),
  )('of the name %s is hidden [S18b]', (name) => {
    expect(shown(name, secret)).toBe(`a [redacted:${name}] b`)
  })

  it.each(
    `HOME EDITOR MONKEY KEYBOARD TOKENIZER PASSPORT SECRETARY PATTERN COMPASS SSH_AUTH_SOCK OLDPWD PUBLIC_KEY PUBLISHABLE_KEY CACHE_KEY GPG_KEY
    TOKEN_FILE SECRET_PATH KEY_DIR TOKEN_URL AWS_ACCESS_KEY_ID SECRET_NAME TOKEN_TYPE TOKEN_TTL PASSWORD_LENGTH TOKEN_LIMIT SECRET_STORE
    PASSWORD_COMMAND KEY_ALGORITHM TOKEN_EXPIRES PUBLIC_KEY_2`.split(/\s+/),
  )('of the name %s is shown [S18b]', (name) => {
    expect(shown(name, secret)).toBe(`a ${secret} b`)
  })

  it.each([
    ['eight characters', 'a1b2c3d4'],
    ['two kinds of letters', 'camelCase'],
    ['a word of sixteen letters', 'abcdefghijklmnop'],
    ['sixteen digits', '1234567890123456'],
    ['an address with a password', 'https://ann:pw@example.com'],
    ['a part of a path', 'a/b/c/d/e/f'],
    ['more than a path', '/home/ann/key1.pem: x'],
    ['more than an address', '?u=https://example.com/token1'],
    ['words and a dash at the end', 'us-east.one-'],
    ['dashes at its end', 'a1b2c3d4-----'],
    ['16,384 characters', 'a1'.repeat(8_192)],
  ])('is hidden if it has %s [S18b]', (_, value) => {
    expect(shown('APP_TOKEN', value)).toBe('a [redacted:APP_TOKEN] b')
  })

  it.each([
    ['seven characters', 'a1b2c3d'],
    ['a word', 'production'],
    ['a word in capitals', 'PRODUCTION'],
    ['a word with a capital', 'Production'],
    ['words with dashes', 'us-east.one'],
    ['a number', '123456789'],
    ['an absolute path', '/home/ann/key1.pem'],
    ['a path of the home folder', '~/keys/key1.pem'],
    ['a relative path', '../keys/key1.pem'],
    ['an address', 'https://example.com/token1'],
    ['more than 16,384 characters', `${'a1'.repeat(8_192)}b`],
  ])('is shown if it has %s [S18b]', (_, value) => {
    expect(shown('APP_TOKEN', value)).toBe(`a ${value} b`)
  })

  it('that is a provider’s key or that the settings name is hidden whatever it looks like, from eight characters on', () => {
    const listed: readonly Partial<SecretsOptions>[] = [{ keyVariables: ['OWN'] }, { settings: { names: ['OWN'] } }]
    for (const more of listed) {
      expect(shown('OWN', 'letmeinn', more)).toBe('a [redacted:OWN] b')
      expect(shown('OWN', '/home/ann', more)).toBe('a [redacted:OWN] b')
      expect(shown('OWN', 'letmein', more)).toBe('a letmein b')
    }
  })

  it('is found inside quotes of JSON, in an address, and without the space around it [S18b]', () => {
    const hidden = redaction({ APP_TOKEN: ' a"b/c d&9\n' })
    expect(hidden.text(JSON.stringify({ a: 'a"b/c d&9' }))).toBe('{"a":"[redacted:APP_TOKEN]"}')
    expect(hidden.text('?x=a%22b%2Fc%20d%269&y')).toBe('?x=[redacted:APP_TOKEN]&y')
    expect(hidden.text('a"b/c d&9.')).toBe('[redacted:APP_TOKEN].')
  })

  it('of several lines is hidden line by line, if a line is long enough [S18b]', () => {
    const [first, short, last] = ['abcdefghijklmnop', 'abcdefghijklm-1', 'qrstuvwxyzabcdef']
    const hidden = redaction({ TLS_KEY: `-----BEGIN THING 1-----\n${first}\r\n${short}\n${last}` })
    expect(hidden.text(`> ${first}\n> ${short}\n> ${last}\n> -----BEGIN THING 1-----`)).toBe(
      `> [redacted:TLS_KEY]\n> ${short}\n> [redacted:TLS_KEY]\n> -----BEGIN THING 1-----`,
    )
  })

  it('that two variables have is one secret; a long name is cut', () => {
    const hidden = redaction({ A_TOKEN: secret, B_TOKEN: secret, [`${'N'.repeat(70)}_TOKEN`]: 's3cret-value-2' })
    expect(hidden.text(secret)).toBe('[redacted:B_TOKEN]')
    expect(hidden.text('s3cret-value-2')).toBe(`[redacted:${'N'.repeat(60)}]`)
    expect(hidden.count).toBe(2)
  })
})

describe('a secret that no variable holds', () => {
  it('has its own name, and is no plain word', () => {
    const values = [
      ['key of one', ` ${secret}\n`],
      ['key of two', 'production'],
    ] as const
    expect(redaction({}, { values }).text(`${secret} production`)).toBe('[redacted:key of one] production')
  })
})

describe('a value of JSON', () => {
  const hidden = redaction({ APP_TOKEN: secret })

  it('is redacted at any depth, and the same object if it has no secret [S18b]', () => {
    expect(hidden.json({ a: [1, null, { b: `x ${secret}` }], c: secret })).toEqual({
      a: [1, null, { b: 'x [redacted:APP_TOKEN]' }],
      c: '[redacted:APP_TOKEN]',
    })
    expect(hidden.json([secret])).toEqual(['[redacted:APP_TOKEN]'])
    expect(hidden.json({ a: 1, b: secret, c: 'd' })).toEqual({ a: 1, b: '[redacted:APP_TOKEN]', c: 'd' })
    expect(hidden.json([1, secret, 'd'])).toEqual([1, '[redacted:APP_TOKEN]', 'd'])
    expect(hidden.json({ [secret]: 1 })).toEqual({ '[redacted:APP_TOKEN]': 1 })
    for (const same of [{ a: [{ b: 'c' }], d: undefined }, ['a'], 7, null, undefined])
      expect(hidden.json(same)).toBe(same)
  })
})

describe('the environment of commands', () => {
  const env = { OPENAI_API_KEY: secret, OWN: 'own-value-1', HOME: '/home/ann' }
  const options = { env, keyVariables: ['OPENAI_API_KEY'] }

  it('lacks the keys of providers and what the settings name, unless the settings keep all [S18d]', () => {
    expect(createSecrets(options).env).toEqual({ OWN: 'own-value-1', HOME: '/home/ann' })
    expect(createSecrets({ ...options, settings: { names: ['OWN'] } }).env).toEqual({ HOME: '/home/ann' })
    expect(createSecrets({ ...options, settings: { env: 'keep', names: ['OWN'] } }).env).toBe(env)
    expect(createSecrets({ env, keyVariables: ['OTHER'] }).env).toBe(env)
  })

  it('lacks them too if outputs are shown as they are', () => {
    const { env: own, secrets } = createSecrets({ ...options, settings: { redact: false } })
    expect([own, secrets]).toEqual([{ OWN: 'own-value-1', HOME: '/home/ann' }, undefined])
  })
})
