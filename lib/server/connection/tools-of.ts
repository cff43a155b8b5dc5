// The tools that a session may use, as people choose from them.
import type { Session } from '../../session/contract/session.ts'
import type { ResultOf } from '../../streams/commands/command.ts'

/** Those that are registered, in their order. */
export function toolsOf({
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
