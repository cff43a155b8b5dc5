// The tool calls of a storm: commands, file tools, jobs, MCP servers, extensions; large, failing and invalid ones.
import type { Chance } from './chance.ts'

export interface StormCall {
  readonly name: string
  /** JSON, or a text that is not JSON. */
  readonly arguments: string
}

/** What a request offers beside the built-in tools. */
export interface OfferedCalls {
  /** Names of tools in its list. */
  readonly listed: readonly string[]
  /** Names of the tools of MCP servers, also those that joined later. */
  readonly ofServers: readonly string[]
  readonly jobs: readonly string[]
  /** No program is to run: the files of a client are used only while none runs in a sandbox. */
  readonly isQuiet: boolean
}

/** The files in each session's folder, which are read, changed and written. */
export const stormFiles = ['one.txt', 'two.txt', 'three.txt'] as const
/** Occurs once in each of them. */
export const stormMark = 'the line that is changed'
/** Begins the names of files that a command makes if it escapes from the sandbox. */
export const escapeMark = 'escaped-'
/** The output of a command that has tried to. */
export const attemptMark = 'it has tried to leave'

const weights = { bash: 26, output: 10, flood: 2, sleep: 6, fail: 5, read: 25, edit: 12, write: 6, large: 1, broken: 3 }
const laterWeights = { leave: 6, job: 5, job_output: 4, job_kill: 3 }
/** Of a request that offers them. */
const offeredWeights = { server: 60, extension: 60 }
/** Calls that run no program. */
const quietWeights = { read: 25, edit: 12, write: 6 }

/** What the tools of `test/mcp/fixtures/plain-server.ts` are called for. */
const serverWeights = { echo: 40, pid: 10, progress: 10, die: 8, sleep: 4, change: 3, large: 1 }
const extensionWeights = { ok: 40, throw: 8, refused: 6, never: 3, loop: 1, exit: 2 }

/** One to eight of them. */
export function stormCalls(chance: Chance, offered: OfferedCalls): StormCall[] {
  return Array.from({ length: chance.between(1, 8) }, () => stormCall(chance, offered))
}

type Kind = keyof typeof weights | keyof typeof laterWeights | keyof typeof offeredWeights

function stormCall(chance: Chance, offered: OfferedCalls): StormCall {
  const path = chance.one(stormFiles) ?? stormFiles[0]
  const kind: Kind = chance.weighted(offered.isQuiet ? quietWeights : weightsOf(offered))
  switch (kind) {
    case 'read':
      return call('read', { path: chance.next() < 0.1 ? 'missing.txt' : path })
    case 'edit':
      return call('edit', { path, edits: [{ oldText: stormMark, newText: `${stormMark} ${chance.between(0, 9)}` }] })
    case 'write':
      return call('write', { path: `new-${chance.between(1, 9)}.txt`, content: 'new\n'.repeat(chance.between(1, 500)) })
    case 'large':
      return call('write', { path: 'large.txt', content: 'a line of a large file\n'.repeat(8_000) })
    case 'job_output':
    case 'job_kill':
      return call(kind, { id: chance.one(offered.jobs) ?? 'none', ...(kind === 'job_output' && { wait: 1 }) })
    case 'server':
      return serverCall(chance, offered)
    case 'extension':
      return extensionCall(chance, offered)
    case 'broken':
      return {
        name: chance.one(['nothing', 'read', 'bash']) ?? 'bash',
        arguments: chance.one(['{"pa', '[]', '{}']) ?? '',
      }
    default:
      return commandCall(kind, chance, path)
  }
}

function weightsOf({ ofServers, listed }: OfferedCalls): Partial<Record<Kind, number>> {
  const { server, extension } = offeredWeights
  return {
    ...{ ...weights, ...laterWeights },
    ...(ofServers.length > 0 && { server }),
    ...(listed.some(isOfExtension) && { extension }),
  }
}

const isOfExtension = (tool: string): boolean => tool.startsWith('soak_')

type CommandKind = 'bash' | 'output' | 'flood' | 'sleep' | 'fail' | 'leave' | 'job'

function commandCall(kind: CommandKind, chance: Chance, path: string): StormCall {
  const bash = (command: string): StormCall => call('bash', { command })
  const number = chance.between(1, 1e6)
  switch (kind) {
    case 'bash':
      return bash(`echo ${number}; echo to the other >&2; cat ${path} | wc -c`)
    case 'output':
      return bash(`head -c ${chance.between(1_000, 200_000)} /dev/zero | tr '\\0' 'x' | fold -w 79`)
    case 'flood':
      return bash(`yes "$(head -c 60 /dev/zero | tr '\\0' 'y')" | head -c ${chance.between(500_000, 3_000_000)}`)
    case 'sleep':
      return bash(`sleep ${chance.between(1, 4)} & sleep ${chance.between(1, 4)}; wait`)
    case 'fail':
      return bash(`trap 'sleep 0.1' TERM; echo gone wrong >&2; exit ${chance.between(1, 120)}`)
    case 'leave':
      return bash(`touch ../${escapeMark}${number} ../home/${escapeMark}${number} 2>&1; echo ${attemptMark}`)
    case 'job': {
      const seconds = chance.between(1, 10) // a session with a job does not rest
      return call('bash', { command: `for i in $(seq ${seconds}); do echo $i; sleep 1; done`, background: true })
    }
  }
}

function serverCall(chance: Chance, { listed, ofServers }: OfferedCalls): StormCall {
  const wanted = `__${chance.weighted(serverWeights)}`
  const name = chance.one(ofServers.filter((each) => each.endsWith(wanted)))
  if (name === undefined) return call('bash', { command: 'true' })
  const args = { text: `number ${chance.between(1, 1e6)}` }
  return listed.includes(name) ? call(name, args) : call('use_tool', { name, arguments: args })
}

function extensionCall(chance: Chance, { listed }: OfferedCalls): StormCall {
  const name = chance.one(listed.filter(isOfExtension))
  if (name === undefined) return call('bash', { command: 'true' })
  const how = chance.weighted(extensionWeights)
  const endsItsThread = how === 'loop' || how === 'exit' // in the server it would end the server
  return call(name, { how: endsItsThread && name !== 'soak_isolated' ? 'throw' : how })
}

function call(name: string, args: object): StormCall {
  return { name, arguments: JSON.stringify(args) }
}
