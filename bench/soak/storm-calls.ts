// The tool calls of a storm: commands and file tools in parallel, large, failing and invalid ones.
import type { Chance } from './chance.ts'

export interface StormCall {
  readonly name: string
  /** JSON, or a text that is not JSON. */
  readonly arguments: string
}

/** The files in each session's folder, which are read, changed and written. */
export const stormFiles = ['one.txt', 'two.txt', 'three.txt'] as const
/** Occurs once in each of them. */
export const stormMark = 'the line that is changed'

const weights = { bash: 30, output: 10, flood: 2, sleep: 6, fail: 5, read: 25, edit: 12, write: 6, large: 1, broken: 3 }

/** One to eight of them. */
export function stormCalls(chance: Chance): StormCall[] {
  return Array.from({ length: chance.between(1, 8) }, () => stormCall(chance))
}

function stormCall(chance: Chance): StormCall {
  const path = chance.one(stormFiles) ?? stormFiles[0]
  const bash = (command: string): StormCall => call('bash', { command })
  switch (chance.weighted(weights)) {
    case 'bash':
      return bash(`echo ${chance.between(1, 1e6)}; echo to the other >&2; cat ${path} | wc -c`)
    case 'output':
      return bash(`head -c ${chance.between(1_000, 200_000)} /dev/zero | tr '\\0' 'x' | fold -w 79`)
    case 'flood':
      return bash(`yes "$(head -c 60 /dev/zero | tr '\\0' 'y')" | head -c ${chance.between(500_000, 3_000_000)}`)
    case 'sleep':
      return bash(`sleep ${chance.between(1, 4)} & sleep ${chance.between(1, 4)}; wait`)
    case 'fail':
      return bash(`trap 'sleep 0.1' TERM; echo gone wrong >&2; exit ${chance.between(1, 120)}`)
    case 'read':
      return call('read', { path: chance.next() < 0.1 ? 'missing.txt' : path })
    case 'edit':
      return call('edit', { path, edits: [{ oldText: stormMark, newText: `${stormMark} ${chance.between(0, 9)}` }] })
    case 'write':
      return call('write', { path: `new-${chance.between(1, 9)}.txt`, content: 'new\n'.repeat(chance.between(1, 500)) })
    case 'large':
      return call('write', { path: 'large.txt', content: 'a line of a large file\n'.repeat(8_000) })
    case 'broken':
      return {
        name: chance.one(['nothing', 'read', 'bash']) ?? 'bash',
        arguments: chance.one(['{"pa', '[]', '{}']) ?? '',
      }
  }
}

function call(name: string, args: object): StormCall {
  return { name, arguments: JSON.stringify(args) }
}
