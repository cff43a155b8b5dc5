// The folders of the soak's sessions: plain ones, with MCP servers, and sessions with extensions.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { firstOf } from '../first-of.ts'
import { stormFiles, stormMark } from '../storm-calls.ts'
import type { ReconnectingClient } from '../../../lib/client.ts'
import type { CommandNamed } from '../../../lib/streams/commands/command.ts'
import type { Chance } from '../chance.ts'
import { extensionNames, writeExtensions } from './soak-extensions.ts'
import type { SoakExtensions } from './soak-extensions.ts'

/** What a session of the soak has beside the built-in tools. */
export type SessionKind = 'plain' | 'servers' | 'extensions'

const weights: Readonly<Record<SessionKind, number>> = { plain: 60, servers: 20, extensions: 20 }

/** Folders with servers: their sessions share the connections of a folder. */
const sharedFolders = 4

/** Milliseconds after which a silent call of an MCP server fails: one of its tools never answers. */
const serverTimeoutMs = 3_000

export interface SoakFolders {
  readonly extensions: SoakExtensions
  /** The fields of `new_session` that depend on the kind. */
  setup(kind: SessionKind): Pick<CommandNamed<'new_session'>, 'cwd' | 'extensions'>
  /** Chooses a kind at random. */
  kind(): SessionKind
  /** Trusts the shared folders and the extensions, as a person would. */
  trust(client: ReconnectingClient, env: Readonly<Record<string, string>>): Promise<void>
}

export interface SoakFoldersOptions {
  readonly folder: string
  readonly chance: Chance
  /** The program of the MCP servers, for this Node. */
  readonly serverProgram: string
}

export function soakFolders({ folder, chance, serverProgram }: SoakFoldersOptions): SoakFolders {
  const extensions = writeExtensions(path.join(folder, 'extensions'))
  const shared = Array.from({ length: sharedFolders }, (_, index) => path.join(folder, `shared-${index + 1}`))
  for (const each of shared) {
    fill(each)
    writeFileSync(path.join(each, '.mcp.json'), JSON.stringify({ mcpServers: serversOf(serverProgram) }))
  }
  let projects = 0
  return {
    extensions,
    kind: () => chance.weighted(weights),
    setup: (kind) => {
      if (kind === 'servers') return { cwd: chance.one(shared) ?? folder }
      const cwd = path.join(folder, `project-${(projects += 1)}`)
      fill(cwd)
      return kind === 'extensions' ? { cwd, extensions: [...extensions.paths] } : { cwd }
    },
    trust: async (client, env) => {
      for (const cwd of shared) await trustFolder(client, { cwd, env })
      for (const [index, extension] of extensionNames.entries())
        await trustExtension(client, { cwd: folder, env, extensions: [...extensions.paths] }, extension, index === 1)
    },
  }
}

/** One connection for all sessions of a folder, and one process for each session. */
function serversOf(program: string): object {
  const server = { command: process.execPath, args: [program], timeoutMs: serverTimeoutMs }
  return { shared: server, own: { ...server, perSession: true } }
}

function fill(project: string): void {
  mkdirSync(project)
  const text = `${'a line of the file that is read\n'.repeat(1_000)}${stormMark}\n`
  for (const name of stormFiles) writeFileSync(path.join(project, name), text)
}

interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly extensions?: string[]
}

async function trustFolder(client: ReconnectingClient, where: Surroundings): Promise<void> {
  const { digest } = await firstOf(client.request({ type: 'trust_folder', ...where }))
  if (digest === undefined) throw new Error(`${where.cwd} has no digest to trust`)
  const { trusted } = await firstOf(client.request({ type: 'trust_folder', ...where, answer: 'trust', digest }))
  if (!trusted) throw new Error(`${where.cwd} is not trusted`)
}

/** `dev`: its changed files need no new decision. */
async function trustExtension(
  client: ReconnectingClient,
  where: Surroundings,
  extension: string,
  isolate: boolean,
): Promise<void> {
  const { extensions, problems } = await firstOf(client.request({ type: 'extension_list', ...where }))
  const digest = extensions.find(({ name }) => name === extension)?.digest
  if (digest === undefined) throw new Error(`There is no extension ${extension}: ${JSON.stringify(problems)}`)
  const decision = { answer: 'trust', digest, dev: true, isolate } as const
  await firstOf(client.request({ type: 'extension_trust', ...where, extension, ...decision }))
}
