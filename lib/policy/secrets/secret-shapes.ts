// Lists the published forms of credentials, and the places where a text has a secret.
import { characterClass, isDigit, isIn, isLetter, token, wordCharacters as dashed } from './shape-form.ts'
import type { CharacterClass, SecretShape, ShapeVerdict } from './shape-form.ts'

const alphanumeric = characterClass(/[A-Za-z0-9]/)
const word = characterClass(/\w/)
const dotted = characterClass(/[\w.-]/)
const capitals = characterClass(/[A-Z0-9]/)
const hex = characterClass(/[a-f0-9]/)
const base64 = characterClass(/[A-Za-z0-9+/=]/)
const credential = characterClass(/[\w.~+/=-]/)
const path = characterClass(/[A-Za-z0-9/]/)
/** The value of an assignment: no space, quote, bracket, separator or shell syntax. */
const assigned = characterClass(/[^\s"'`$(){}<>[\],;&|\\\0-\x1F\x7F]/)
const password = characterClass(/[^\s/:@"'`${}<>[\]\\\0-\x1F\x7F]/)
const user = characterClass(/[^\s/:@"'`\0-\x1F\x7F]/)

/** Two parts in base64 that begin like JSON, with a dot between; the head has at most 500 characters. */
const webToken: SecretShape = {
  kind: 'json-web-token',
  prefixes: ['eyJ'],
  isWord: true,
  example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.RXhhbXBsZVNpZ25hdHVyZQ',
  match: (text, start, from, isLast) => {
    let index = from
    const limit = Math.min(text.length, from + 500)
    while (index < limit && isIn(dashed, text.charCodeAt(index))) index += 1
    const next = text.slice(index, index + 4)
    if (next === '.eyJ') return index - from < 8 ? undefined : { start, end: index + 4, rest: dotted }
    return '.eyJ'.startsWith(next) && index - from < 500 && index + next.length === text.length && !isLast
      ? 'more'
      : undefined
  },
}

const beginning = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y
const longestBeginning = 80

/** From its first line to its last; a key that is cut off ends with its last line. */
const privateKey: SecretShape = {
  kind: 'private-key',
  prefixes: ['-----BEGIN '],
  isWord: false,
  example:
    '-----BEGIN PRIVATE KEY-----\nRXhhbXBsZUtleUV4YW1wbGVLZXlFeGFtcGxlS2V5\nRXhhbXBsZQ==\n-----END PRIVATE KEY-----',
  match: (text, start, _from, isLast) => {
    beginning.lastIndex = start
    if (beginning.test(text)) return { start, end: beginning.lastIndex, rest: 'key lines' }
    const rest = text.slice(start, start + longestBeginning)
    return !isLast && start + rest.length === text.length && /^[A-Z0-9 -]*$/.test(rest) ? 'more' : undefined
  },
}

/** The password of `scheme://user:password@host`. */
const urlPassword: SecretShape = {
  kind: 'url-password',
  prefixes: ['://'],
  isWord: false,
  example: 'https://ann:Example-Passw0rd@example.com/',
  match: (text, _start, from, isLast) => {
    const colon = run(text, from, user, 100)
    if (colon === text.length && !isLast && colon - from < 100) return 'more'
    if (text.charCodeAt(colon) !== 58) return undefined
    const start = colon + 1
    const end = run(text, start, password, 200)
    if (end === text.length && !isLast && end - start < 200) return 'more'
    return text.charCodeAt(end) === 64 && end - start >= 3 ? { start, end } : undefined
  },
}

/** The end of the characters of a class, at most `limit` of them. */
function run(text: string, from: number, characters: CharacterClass, limit: number): number {
  const last = Math.min(text.length, from + limit)
  let end = from
  while (end < last && isIn(characters, text.charCodeAt(end))) end += 1
  return end
}

/** Behind the name of a variable: at least 12 characters with a letter and a digit, no path, address or reference. */
function assignment(kind: string, prefixes: readonly string[], example: string): SecretShape {
  return {
    kind,
    prefixes,
    isWord: false,
    example,
    match: (text, _start, from, isLast) => {
      const quote = text.charCodeAt(from)
      const start = quote === 34 || quote === 39 ? from + 1 : from
      const [first, second] = [text.charCodeAt(start), text.charCodeAt(start + 1)]
      // a path: `/home`, `~/x`, `./x`, `../x`
      if (first === 47 || first === 126 || (first === 46 && (second === 47 || second === 46))) return undefined
      return valueOf(text, start, isLast)
    },
  }
}

const longestUndecided = 100

function valueOf(text: string, start: number, isLast: boolean): ShapeVerdict {
  const limit = Math.min(text.length, start + longestUndecided)
  let hasDigit = false
  let hasLetter = false
  let end = start
  for (; end < limit; end += 1) {
    const code = text.charCodeAt(end)
    if (!isIn(assigned, code)) return undefined
    if (code === 58 && text.startsWith('//', end + 1)) return undefined
    hasDigit ||= isDigit(code)
    hasLetter ||= isLetter(code)
    if (hasDigit && hasLetter && end - start >= 11) return { start, end: end + 1, rest: assigned }
  }
  return end === text.length && !isLast && end - start < longestUndecided ? 'more' : undefined
}

/** A name that ends like a secret's, but whose value is public. */
const publicNames: SecretShape = {
  kind: '',
  prefixes: ['PUBLIC', 'PUBLISHABLE', 'CACHE', 'PRIMARY', 'FOREIGN', 'SORT', 'PARTITION', 'HOST', 'SITE'].map(
    (name) => `${name}_KEY=`,
  ),
  isWord: false,
  example: '',
  match: (_text, _start, from) => ({ start: from, end: from }),
}

/** The table of docs/security.md. A guess by entropy would match hashes, identifiers and images, so there is none. */
export const secretShapes: readonly SecretShape[] = [
  privateKey,
  token('anthropic-key', ['sk-ant-'], { characters: dashed, min: 20, hasDigit: true }),
  token('api-key', ['sk-'], { characters: dashed, min: 20, hasDigit: true }),
  token('groq-key', ['gsk_'], { characters: alphanumeric, min: 40 }),
  token('xai-key', ['xai-'], { characters: alphanumeric, min: 40 }),
  token('perplexity-key', ['pplx-'], { characters: alphanumeric, min: 40 }),
  token('cerebras-key', ['csk-'], { characters: alphanumeric, min: 40 }),
  token('nvidia-key', ['nvapi-'], { characters: dashed, min: 40, hasDigit: true }),
  token('fireworks-key', ['fw_'], { characters: alphanumeric, min: 22, max: 40, hasDigit: true }),
  token('replicate-token', ['r8_'], { characters: alphanumeric, min: 37, max: 40 }),
  token('hugging-face-token', ['hf_'], { characters: alphanumeric, min: 30, max: 60 }),
  token('google-key', ['AIza'], { characters: dashed, min: 35, max: 35 }),
  token('google-token', ['ya29.'], { characters: dotted, min: 20, hasDigit: true }),
  token('google-client-secret', ['GOCSPX-'], { characters: dashed, min: 20 }),
  token('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], { characters: word, min: 36 }),
  token('github-token', ['github_pat_'], { characters: word, min: 22 }),
  token('gitlab-token', ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-'], { characters: dotted, min: 20 }),
  token('aws-key-id', ['AKIA', 'ASIA'], { characters: capitals, min: 16, max: 16 }),
  token('azure-key', ['AccountKey=', 'SharedAccessKey='], { characters: base64, min: 40 }, false),
  token('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], { characters: hex, min: 64, max: 64 }),
  token('databricks-token', ['dapi'], { characters: hex, min: 32, max: 32 }),
  token('docker-token', ['dckr_pat_'], { characters: dashed, min: 20 }),
  token('vault-token', ['hvs.', 'hvb.'], { characters: dashed, min: 24 }),
  token('slack-token', ['xoxb-', 'xoxp-', 'xoxa-', 'xoxe-', 'xoxo-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xapp-'], {
    characters: dashed,
    min: 10,
    hasDigit: true,
  }),
  token('slack-webhook', ['hooks.slack.com/services/'], { characters: path, min: 20 }),
  token('stripe-key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'], {
    characters: alphanumeric,
    min: 20,
  }),
  token('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], { characters: hex, min: 32 }),
  token('sendgrid-key', ['SG.'], { characters: dotted, min: 60, hasDigit: true }),
  token('npm-token', ['npm_'], { characters: alphanumeric, min: 36, max: 36 }),
  token('pypi-token', ['pypi-AgE'], { characters: dashed, min: 50 }),
  token('linear-key', ['lin_api_'], { characters: alphanumeric, min: 30 }),
  token('age-key', ['AGE-SECRET-KEY-1'], { characters: capitals, min: 50 }),
  webToken,
  {
    ...token('authorization', ['Bearer ', 'bearer '], { characters: credential, min: 16, hasDigit: true }),
    match: behindPrefix(token('', [''], { characters: credential, min: 16, hasDigit: true })),
  },
  {
    ...token('authorization', ['uthorization: Basic ', 'uthorization: basic '], { characters: base64, min: 8 }, false),
    match: behindPrefix(token('', [''], { characters: base64, min: 8 })),
  },
  urlPassword,
  publicNames,
  assignment('variable', ['_KEY=', 'TOKEN=', 'SECRET=', 'PASSWORD=', 'PASSWD='], 'APP_SECRET=Example0Value1'),
  assignment(
    'variable',
    ['aws_secret_access_key=', 'aws_secret_access_key = ', '_authToken=', 'client_secret='],
    'aws_secret_access_key = Example0Value1Example2Value3Example4Value',
  ),
]

/** The prefix stays in the text. */
function behindPrefix({ match }: SecretShape): SecretShape['match'] {
  return (text, _start, from, isLast) => match(text, from, from, isLast)
}
