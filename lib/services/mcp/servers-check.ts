// Checks MCP servers for the doctor: programs, variables, addresses, sign-ins, last problems.
// Guarantees: no server is started or asked, and no check has a value of the environment or of a header.
import { accessSync, constants, statSync } from 'node:fs'
import type { McpServer, McpStdio } from '../../mcp/contract/mcp-server.ts'
import { programPath } from '../../mcp/transport/program-path.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ServerList } from './list-servers.ts'
import type { ListedServer } from './server-state.ts'

type Check = ResultOf<'doctor'>['checks'][number]

/** Where a program of a session starts. */
export interface Surroundings {
  /** The folder of the session, absolute. */
  readonly cwd: string
  /** Environment of tools. */
  readonly env: Readonly<Record<string, string>>
}

/** One check a server, and one a problem of a file; none without servers. */
export function serversCheck({ servers, problems }: ServerList, around: Surroundings): readonly Check[] {
  return [
    ...servers.map((listed) => checkServer(listed, around)),
    ...problems.map((problem) => ({ name: 'mcp', ok: false, required: false, message: problem })),
  ]
}

function checkServer({ row, server, isPassedOver = false }: ListedServer, around: Surroundings): Check {
  const check = (ok: boolean, message: string): Check => ({ name: `mcp ${row.name}`, ok, required: false, message })
  if (row.disabled === true) return check(true, 'disabled')
  if (row.problem !== undefined) return check(isPassedOver, `not used: ${row.problem}`)
  if (server === undefined) return check(true, 'not used')
  try {
    const facts = [...reachFacts(server, around), ...(row.isSignedIn === true ? ['signed in'] : [])]
    const { state, error } = row
    if (error !== undefined) return check(false, `${facts.join(', ')}; ${state?.replaceAll('_', ' ') ?? ''}: ${error}`)
    return check(true, [...facts, ...(state === undefined ? [] : [state])].join(', '))
  } catch (thrown) {
    return check(false, Failure.from(thrown).message)
  }
}

/** @throws Failure `bad_config` for a program or a folder that is not there */
function reachFacts({ transport }: McpServer, around: Surroundings): readonly string[] {
  return transport.kind === 'stdio' ? [checkProgram(transport, around)] : [transport.url]
}

function checkProgram({ command, cwd, env }: McpStdio, around: Surroundings): string {
  const folder = cwd ?? around.cwd
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure('bad_config', `Its folder ${folder} is not there.`)
  const program = programPath(command, folder, { ...around.env, ...env })
  try {
    accessSync(program, constants.X_OK)
  } catch {
    throw new Failure('bad_config', `Its program ${program} is not there, or it cannot be executed.`)
  }
  return program
}
