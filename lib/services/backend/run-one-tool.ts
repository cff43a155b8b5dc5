// Runs the tool call of `run_tool`, with tools, policy and sandbox of a new session in the folder.
import { finalize, mergeMap } from 'rxjs'
import { builtInTools } from '../../tools/index.ts'
import { projectTrust } from '../../session/create/project-trust.ts'
import { sessionSecrets } from '../../session/create/session-secrets.ts'
import { scope } from '../../streams/rx/scope.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { Fields, SessionsBackend } from '../contract/server-backend.ts'
import { openingMode, openPolicy } from '../policy/session-policy.ts'
import { checkFolder } from '../stored/check-path.ts'
import { openSandbox } from './open-sandbox.ts'
import { toolOptions } from './own-tools.ts'
import { runTool } from './run-tool.ts'
import type { Locks } from '../../streams/ports/locks.ts'
import type { ReadConfiguration } from '../models/configured-model.ts'

interface ToolBackendOptions {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of `settings.json`. */
  readonly config: string
  /** The locks of files, shared with all sessions. */
  readonly locks: Locks
  readonly configured: ReadConfiguration
}

/** The sandbox ends with the call. */
export function runOneTool(
  command: Fields<'run_tool'>,
  { home, config, locks, configured }: ToolBackendOptions,
): ReturnType<SessionsBackend['runTool']> {
  checkFolder(command.cwd)
  const { cwd, env = {}, approve } = command
  const configuration = configured(env, projectTrust(command, home))
  const { settings, project } = configuration
  const life = scope()
  const sandbox = openSandbox({
    ...{ cwd, env, settings, home, config, sandbox: command.sandbox },
    ...{ sessionId: randomIds().session(), skills: [], end$: life.end$ },
  })
  const registry = builtInTools(toolOptions(home, settings))
  return openPolicy({ cwd, env, settings, project, home, config }).pipe(
    mergeMap((policy) =>
      runTool(command, registry, {
        ...{ locks, policy, sandbox, mode: openingMode(approve, settings) },
        ...sessionSecrets({ env, ...configuration }),
      }),
    ),
    finalize(() => {
      life.end()
    }),
  )
}
