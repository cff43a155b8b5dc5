// Answers `list_tools`: the registered tools of an open session.
import type { ResultOf } from '../../streams/commands/command.ts'
import type { Session } from '../../session/contract/session.ts'

/** Lists the registered tools in their order, which are active, and which of those requests leave out. */
export function listTools({
  registeredTools,
  activeTools,
  unlistedTools,
}: Pick<Session, 'registeredTools' | 'activeTools' | 'unlistedTools'>): ResultOf<'list_tools'>['tools'] {
  const active = new Set(activeTools.map(({ name }) => name))
  const unlisted = new Set(unlistedTools?.().map(({ name }) => name))
  return registeredTools.map(({ name, description, capability = 'execute' }) => ({
    name,
    description,
    capability,
    active: active.has(name),
    ...(unlisted.has(name) ? { unlisted: true } : {}),
  }))
}
