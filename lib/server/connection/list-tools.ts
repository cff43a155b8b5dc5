// Answers `list_tools`: the registered tools of an open session.
import type { ResultOf } from '../../streams/commands/command.ts'
import type { Session } from '../../session/contract/session.ts'

/** Lists the registered tools in their order, and which are active. */
export function listTools({
  registeredTools,
  activeTools,
}: Pick<Session, 'registeredTools' | 'activeTools'>): ResultOf<'list_tools'>['tools'] {
  const active = new Set(activeTools.map(({ name }) => name))
  return registeredTools.map(({ name, description, capability = 'execute' }) => ({
    name,
    description,
    capability,
    active: active.has(name),
  }))
}
