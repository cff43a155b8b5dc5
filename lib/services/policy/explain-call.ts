// Explains the decision about one call, as a new session in the folder would make it. Runs nothing.
import { defer, map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { PolicyRequest, PolicyVerdict } from '../../streams/ports/policy.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { checkFolder } from '../stored/check-path.ts'
import type { Fields } from '../contract/server-backend.ts'
import type { UserConfiguration } from '../models/configured-model.ts'
import { openingMode, openPolicy } from './session-policy.ts'
import type { PolicyFolders } from './session-policy.ts'

export interface ExplainOptions extends PolicyFolders {
  configured(env: Readonly<Record<string, string>>): UserConfiguration
  /** The tools by which the server's sessions work. */
  tools(configuration: UserConfiguration): readonly AnyTool[]
  /** Emits whether the sandbox of the settings works here. */
  isSandboxed(configuration: UserConfiguration): Observable<boolean>
}

/** Emits once and completes; fails with `bad_config` if the rules are not valid. */
export function explainCall(
  { cwd, env = {}, tool: name, args, approve, sandboxed }: Fields<'policy_explain'>,
  { home, config, configured, tools, isSandboxed }: ExplainOptions,
): Observable<ResultOf<'policy_explain'>> {
  return defer(() => {
    checkFolder(cwd)
    const configuration = configured(env)
    const { settings } = configuration
    const tool = tools(configuration).find((each) => each.name === name) ?? { name }
    const mode = openingMode(approve, settings)
    const explain$ = (confined: boolean): Observable<ResultOf<'policy_explain'>> => {
      const request: PolicyRequest = { tool, args, cwd, mode, isSandboxed: confined && canConfine(tool) && args['escalate'] === undefined } // prettier-ignore
      return openPolicy({ cwd, env, settings, home, config }).pipe(
        mergeMap((policy) => policy.decide(request)),
        map((verdict) => resultOf(verdict, request)),
      )
    }
    return sandboxed === undefined ? isSandboxed(configuration).pipe(mergeMap(explain$)) : explain$(sandboxed)
  })
}

/** A sandbox confines commands, and the fence of a session its file tools. */
function canConfine({ capability }: PolicyRequest['tool']): boolean {
  return new Set(['read', 'write', 'exec']).has(capabilityOf(capability))
}

function resultOf(
  { decision, reason, by, rule, class: found, tier, pattern }: PolicyVerdict,
  { mode, isSandboxed }: PolicyRequest,
): ResultOf<'policy_explain'> {
  return {
    decision,
    reason,
    by,
    ...(rule !== undefined && { rule }),
    ...(found !== undefined && { class: found }),
    ...(tier !== undefined && { tier }),
    ...(pattern !== undefined && { pattern }),
    mode,
    sandboxed: isSandboxed,
  }
}
