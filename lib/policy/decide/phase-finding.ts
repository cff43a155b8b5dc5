// Refuses the calls that the phase of a scenario does not let run.
// Guarantees: a phase only denies; a command that is not known as read-only counts as a change.
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { PolicyPhase, PolicyRequest, PolicyVerdict } from '../../streams/ports/policy.ts'
import { readOnlyProblem } from './read-only-command.ts'
import type { CallFacts } from './call-facts.ts'

type PhaseFacts = Pick<CallFacts, 'analysis' | 'workspace'>
type PhaseFinding = Pick<PolicyVerdict, 'reason' | 'by'> & { readonly decision: 'deny'; readonly isFixed: true }

export function phaseFinding(request: PolicyRequest, facts: PhaseFacts): PhaseFinding | undefined {
  const { phase } = request
  const problem = phase && phaseProblem(request, phase, facts)
  if (phase === undefined || problem === undefined) return undefined
  const reason = `The phase "${phase.name}" of the scenario "${phase.scenario}" ${problem}.`
  return { decision: 'deny', isFixed: true, by: 'scenario', reason }
}

/** Continues the name of the phase. */
function phaseProblem(
  { tool, args, cwd, changed = [], escalates = false }: PolicyRequest,
  { tools, capabilities, readOnly = false }: PolicyPhase,
  { analysis, workspace = cwd }: PhaseFacts,
): string | undefined {
  const capability = capabilityOf(tool.capability)
  if (tools !== undefined && !tools.includes(tool.name))
    return `lets only these tools run: ${tools.join(', ') || 'none'}`
  if (capabilities?.map(capabilityOf).includes(capability) === false)
    return `lets only tools run that do this: ${capabilities.join(', ') || 'nothing'}`
  if (!readOnly || harmlessCapabilities.has(capability)) return undefined
  if (capability !== 'exec') return `only reads, and ${tool.name} may change something`
  if (escalates || args['escalate'] !== undefined) return 'only reads, and lets nothing leave the sandbox'
  if (changed.length > 0) return `only reads, and earlier commands changed ${changed.join(', ')}`
  const why = analysis === undefined ? 'what it does is not known' : readOnlyProblem(analysis, { cwd, workspace })
  return why === undefined ? undefined : `only lets commands run that change nothing: ${why}`
}

/** Capabilities that neither change files nor run programs. */
export const harmlessCapabilities: ReadonlySet<string> = new Set(['read', 'ui', 'log', 'events'])
