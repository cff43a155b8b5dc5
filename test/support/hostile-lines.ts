// Hostile lines for a server: random, cut, huge, deep, binary, half UTF-8, and nearly valid ones.
import { randomOf } from './random-of.ts'

/** The bytes of one line without its line feed; a binary one can contain line feeds. Never ends a server. */
export function hostileLine(random: () => number): Buffer {
  const kind = kinds[Math.floor(random() * kinds.length)] ?? text
  return Buffer.from(kind(random))
}

/** Returns the same lines for the same seed. */
export function hostileLines(count: number, seed: number): Buffer[] {
  const random = randomOf(seed)
  return Array.from({ length: count }, () => hostileLine(random))
}

type Kind = (random: () => number) => string | Uint8Array

function below(random: () => number, limit: number): number {
  return Math.floor(random() * limit)
}

function oneOf<Value>(random: () => number, values: readonly Value[]): Value {
  return values[below(random, values.length)] as Value // there is one
}

const text: Kind = (random) =>
  oneOf(random, [
    'null',
    'true',
    '0',
    '-1e999',
    '""',
    '[]',
    '{}',
    'NaN',
    'undefined',
    "{'id':1}",
    '\u2028',
    '\ufeff{}',
    '\r',
    ' \t ',
    '',
  ])

const binary: Kind = (random) => Uint8Array.from({ length: below(random, 200) }, () => below(random, 256))

const surprising = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  '\u2028',
  '\0',
  '\ud800',
  [],
  {},
  [null],
  { id: 'x' },
  'ping',
  '__proto__',
  '../../etc',
]

const request: Kind = (random) => {
  const types = [
    'ping',
    'attach',
    'detach',
    'cancel',
    'hello',
    'prompt',
    'steer',
    'abort',
    'get_tree',
    'fly',
    'toString',
  ]
  const fields: Record<string, unknown> = {
    v: oneOf(random, [1, 1, 1, 2, '1', null]),
    id: oneOf(random, ['1', '2', 'x'.repeat(128), ...surprising]),
    type: oneOf(random, [...types, ...surprising]),
    session: oneOf(random, ['aaaaaaaaaaaa', 'zzzzzzzzzzzz', ...surprising]),
    target: oneOf(random, ['1', ...surprising]),
    text: oneOf(random, ['hi', ...surprising]),
    after: oneOf(random, [0, 1, 2 ** 53, ...surprising]),
    timeoutMs: oneOf(random, [1, 2 ** 31, ...surprising]),
  }
  for (const name of Object.keys(fields)) if (random() < 0.3) Reflect.deleteProperty(fields, name)
  return JSON.stringify(fields)
}

const truncated: Kind = (random) => {
  const whole = Buffer.from(request(random))
  return whole.subarray(0, below(random, whole.length))
}

const halfCharacters: Kind = (random) => {
  const whole = Buffer.from('{"id":"é😀\u2028","type":"ping","text":"ünï😀"}')
  const at = below(random, whole.length)
  return Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1 + below(random, 3))])
}

const deep: Kind = (random) => {
  const depth = oneOf(random, [10, 1_000, 20_000])
  const [open, close] = oneOf(random, [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const)
  const inner = `${open.repeat(depth)}1${random() < 0.7 ? close.repeat(depth) : ''}`
  const name = oneOf(random, ['id', 'type', 'v', 'text', 'session', 'extra', '__proto__'])
  return oneOf(random, [inner, `{"id":"1","type":"ping","${name}":${inner}}`])
}

const long: Kind = (random) => {
  const filler = oneOf(random, ['a', '\\u0000', '😀', '{"', '[[', ' ']).repeat(below(random, 20_000))
  return oneOf(random, [filler, `{"id":"1","type":"ping","extra":"${filler}"}`])
}

const kinds: readonly Kind[] = [
  text,
  text,
  binary,
  binary,
  request,
  request,
  request,
  truncated,
  truncated,
  halfCharacters,
  deep,
  long,
]
