// Answers the command `trust_folder`: a project's files, their digest, and a person's answer.
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import path from 'node:path'
import { projectHooks } from '../../store/config/project-layer.ts'
import { projectServers, summariseServer } from '../../store/config/project-servers.ts'
import { answerTrust, projectSettingsPath, reportTrust } from '../../store/index.ts'
import { projectServersPath } from '../../store/trust/gated-files.ts'
import type { TrustReport } from '../../store/index.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import type { Fields } from '../contract/server-backend.ts'
import { checkFolder } from '../stored/check-path.ts'

/** Emits once and completes; fails with a Failure. @param home `$RXPI_HOME` */
export function trustFolder(
  { cwd, answer, digest }: Fields<'trust_folder'>,
  home: string,
): Observable<ResultOf<'trust_folder'>> {
  return defer(() => {
    checkFolder(cwd)
    const question = { home, cwd }
    return answer === undefined ? of(reportTrust(question)) : answerTrust(answer, digest, question)
  }).pipe(map(resultOf))
}

function resultOf({ folder, trusted, state, files, digest, problem, contents }: TrustReport): ResultOf<'trust_folder'> {
  const hooks = hooksOf(folder, contents)
  const mcpServers = serversOf(folder, contents)
  return {
    folder,
    trusted,
    state: state === 'run' ? 'untrusted' : state, // a report asks for no run
    files: [...files],
    ...(hooks.length === 0 ? {} : { hooks }),
    ...(mcpServers.length === 0 ? {} : { mcpServers }),
    ...(digest === undefined ? {} : { digest }),
    ...(problem === undefined ? {} : { problem }),
  }
}

/** Each command that trust lets run. Empty for a file that is not valid: no session reads it. */
function hooksOf(folder: string, contents: TrustReport['contents']): NonNullable<ResultOf<'trust_folder'>['hooks']> {
  try {
    const events = projectHooks(path.join(folder, projectSettingsPath), contents?.get(projectSettingsPath))
    return Object.entries(events).flatMap(([event, groups]) =>
      groups.flatMap(({ matcher, hooks }) =>
        hooks.map(({ command }) => ({ event, ...(matcher === undefined ? {} : { matcher }), command })),
      ),
    )
  } catch {
    return []
  }
}

/** Each server that trust lets run; empty for a file that is not valid, as in a session. */
function serversOf(folder: string, contents: TrustReport['contents']): McpSummaries {
  const { servers } = projectServers(path.join(folder, projectServersPath), contents?.get(projectServersPath))
  return Object.entries(servers).map(([name, entry]) => summariseServer(name, entry))
}

type McpSummaries = NonNullable<ResultOf<'trust_folder'>['mcpServers']>
