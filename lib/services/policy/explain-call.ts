// Explains the decision about one call, as a new session in the folder would make it. Runs nothing.
import { defer, map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { PolicyRequest, PolicyVerdict } from '../../streams/ports/policy.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { repairArguments } from '../../operators/tool-calls/repair-arguments.ts'
import { validatorOf } from '../../session/runs/create-run-ports.ts'
import type { ArgumentProblem } from '../../streams/schema/compiled-validator.ts'
import type { Settings } from '../../streams/config/settings.ts'
import type { SandboxMode } from '../../streams/ports/sandbox.ts'
import { capabilityOf } from '../../streams/ports/tool.ts'
import { isInside, resolvePath } from '../../host/files/resolve-path.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { nearestName } from '../../streams/values/nearest-name.ts'
import { checkFolder } from '../stored/check-path.ts'
import type { Fields } from '../contract/server-backend.ts'
import type { ReadConfiguration, UserConfiguration } from '../models/configured-model.ts'
import { projectTrust } from '../../session/create/project-trust.ts'
import { rememberedDigest } from '../../policy/rules/remembered-rules.ts'
import { openingMode, openPolicy } from './session-policy.ts'
import type { PolicyFolders } from './session-policy.ts'

export interface ExplainOptions extends PolicyFolders {
  readonly configured: ReadConfiguration
  /** The tools by which the server's sessions work. */
  tools(configuration: UserConfiguration): readonly AnyTool[]
  /** Emits whether the sandbox of the settings works here. */
  isSandboxed(configuration: UserConfiguration): Observable<boolean>
  /** The folders beside the workspace that its sandbox lets calls write. */
  insideFolders(configuration: UserConfiguration): readonly string[]
}

/** Emits once and completes; fails with `bad_config` if the rules are not valid, `bad_request` if the call is not. */
export function explainCall(
  { cwd, env = {}, tool: name, args: written, approve, trust, ...wanted }: Fields<'policy_explain'>,
  { home, config, configured, tools, isSandboxed, insideFolders }: ExplainOptions,
): Observable<ResultOf<'policy_explain'>> {
  return defer(() => {
    checkFolder(cwd)
    const own = configured(env, projectTrust({ cwd, trust }, home))
    const sandbox = sandboxOf(wanted, own.settings)
    const settings = sandbox === undefined ? own.settings : withSandbox(own.settings, sandbox)
    const configuration = { ...own, settings }
    const { project } = configuration
    const { tool, args, keepsInside } =
      serverCall(name, written, { home, cwd }) ?? findCall(name, written, tools(configuration))
    const mode = openingMode(approve, settings)
    const explain$ = (confined: boolean): Observable<ResultOf<'policy_explain'>> => {
      const canBeConfined = confined && keepsInside
      const isConfined = canBeConfined && args['escalate'] === undefined
      const inside = isConfined ? insideFolders(configuration) : []
      const request: PolicyRequest = {
        tool,
        args,
        cwd,
        mode,
        isSandboxed: isConfined,
        inside,
        escalates: canBeConfined && !isConfined,
      }
      return openPolicy({ cwd, env, settings, project, home, config }).pipe(
        mergeMap((policy) => policy.decide(request)),
        map((verdict) =>
          resultOf(settings.sandbox?.mode === 'read-only' ? inReadOnly(verdict, request) : verdict, request),
        ),
      )
    }
    const isForced = sandbox !== undefined && sandbox !== 'auto'
    return isForced ? explain$(sandbox !== 'off') : isSandboxed(configuration).pipe(mergeMap(explain$))
  })
}

/** The mode that the command names; undefined: that of the settings. A sandbox that is named counts as working. */
function sandboxOf(
  { sandbox, sandboxed }: Pick<Fields<'policy_explain'>, 'sandbox' | 'sandboxed'>,
  { sandbox: ofSettings }: Pick<Settings, 'sandbox'>,
): SandboxMode | undefined {
  if (sandbox !== undefined || sandboxed === undefined) return sandbox
  if (!sandboxed) return 'off'
  return ofSettings?.mode === 'read-only' ? 'read-only' : 'workspace'
}

function withSandbox(settings: Settings, mode: SandboxMode): Settings {
  return { ...settings, sandbox: { ...settings.sandbox, mode } }
}

/** No decision opens a sandbox that is read-only: a tool that changes a file outside its temporary folder is refused. */
function inReadOnly(
  verdict: PolicyVerdict,
  { tool, args: { path }, cwd, isSandboxed, inside = [] }: PolicyRequest,
): PolicyVerdict {
  if (verdict.decision === 'deny' || !isSandboxed || capabilityOf(tool.capability) !== 'write') return verdict
  const file = resolvePath(typeof path === 'string' ? path : '', cwd)
  if (!isInside(file, cwd) && inside.some((folder) => isInside(file, folder))) return verdict
  return { decision: 'deny', by: 'sandbox', reason: `The sandbox is read-only: ${tool.name} may not change ${file}.` }
}

interface FoundCall {
  readonly tool: PolicyRequest['tool']
  readonly args: PolicyRequest['args']
  /** True if the tool keeps to the sandbox of a session. */
  readonly keepsInside: boolean
}

/** A tool of an MCP server, as it was when a person allowed it. Starts no server, so its arguments are not checked. */
function serverCall(
  name: string,
  args: PolicyRequest['args'],
  { home, cwd }: { readonly home: string; readonly cwd: string },
): FoundCall | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  if (server === undefined || tool === undefined) return undefined
  const digest = rememberedDigest(home, cwd, name) ?? ''
  return { tool: { name, mcp: { server, tool, digest } }, args, keepsInside: false }
}

/** The call as a session would decide about it. A tool that is not here counts as one of an extension. */
function findCall(name: string, written: PolicyRequest['args'], tools: readonly AnyTool[]): FoundCall {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    const near = nearestName(
      name,
      tools.map((each) => each.name),
    )
    if (near !== undefined) throw new Failure('bad_request', `There is no tool "${name}". Did you mean ${near}?`)
    return { tool: { name }, args: written, keepsInside: false }
  }
  const copy = structuredClone(written)
  const args = repairArguments(tool.parameters, tool.prepareArguments?.(copy) ?? copy)
  const [problem] = validatorOf(tool)(args)
  if (problem !== undefined) throw new Failure('bad_request', refusal(tool, problem))
  return { tool, args, keepsInside: tool.sandboxed === true }
}

function refusal({ name, parameters }: AnyTool, { path, reason }: ArgumentProblem): string {
  const properties = isRecord(parameters['properties']) ? Object.keys(parameters['properties']).join(', ') : ''
  const fault = path === '' ? `they ${reason.replace(/^needs /, 'need ')}` : `${path} ${reason}`
  return `${name} would refuse these arguments: ${fault}; ${name} takes ${properties || 'none'}`
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
