// Redaction of tool output: time a character, for usual output, small pieces and text that looks like secrets.
import { createSecrets } from '../lib/policy/secrets/create-secrets.ts'
import type { Benchmark, Report } from './report.ts'
import { median } from './statistics.ts'

const rounds = 9
const environment = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`SERVICE_${index}_TOKEN`, `v${index}alue-of-a-secret-${index * 7919}`]),
)

const log = 'src/operators/run/run.ts:42: error TS2345: Argument of type string is not assignable, see TOKEN or sk-1.\n'

const texts: readonly (readonly [name: string, pieces: readonly string[]])[] = [
  ['a log in pieces of 32 KiB', piecesOf(log.repeat(10_000), 32_768)],
  ['a log in pieces of 16 characters', piecesOf(log.repeat(2_000), 16)],
  ['a log, one character at a time', piecesOf(log.repeat(200), 1)],
  ['a line without spaces', piecesOf('abcdefghijklmnopqrstuvwxyz0123456789'.repeat(20_000), 32_768)],
  ['beginnings of secrets', piecesOf('sk-ghp_eyJ://TOKEN=value'.repeat(20_000), 32_768)],
  ['secrets', piecesOf(`ghp_${'a1B2'.repeat(10)} `.repeat(10_000), 32_768)],
]

function piecesOf(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}

export const redaction: Benchmark = {
  name: 'redaction',
  about: 'the search for secrets in the output of tools',
  run: () => Promise.resolve(report(texts.map(([name, pieces]) => [name, pieces.length, ...figures(pieces)] as const))),
}

/** Nanoseconds a character, and microseconds a piece. */
function figures(pieces: readonly string[]): readonly [number, number] {
  const { secrets } = createSecrets({ env: environment, keyVariables: [] })
  const once = (): number => {
    const stream = secrets?.begin().stream()
    const began = performance.now()
    for (const piece of pieces) stream?.push(piece)
    stream?.end()
    return performance.now() - began
  }
  once()
  const ms = median(Array.from({ length: rounds }, once))
  const characters = pieces.reduce((sum, { length }) => sum + length, 0)
  return [(ms / characters) * 1e6, (ms / pieces.length) * 1e3]
}

function report(rows: readonly (readonly [string, number, number, number])[]): Report {
  const dearest = Math.max(
    ...rows.filter(([, , nanoseconds, piece]) => piece > 5 && nanoseconds > 0).map((row) => row[2]),
  )
  const small = Math.max(...rows.filter(([, , , piece]) => piece <= 5).map(([, , , piece]) => piece))
  return {
    tables: [
      {
        title: 'one stream, 30 variables with secrets',
        columns: [
          { title: 'output' },
          { title: 'pieces' },
          { title: 'ns a character', digits: 1 },
          { title: 'µs a piece', digits: 2 },
        ],
        rows,
      },
    ],
    targets: [
      { what: 'dearest output in large pieces', measured: dearest, limit: 50, unit: 'ns a character' },
      { what: 'dearest small piece', measured: small, limit: 2, unit: 'µs' },
    ],
    notes: ['a pipe delivers at most 100 MB/s, and live output at most 20 pieces of 32 KiB a second'],
  }
}
