// Reads which capabilities a module says that it uses, by its text: none of its code runs.
import { capabilities } from '../../streams/ports/tool.ts'
import { readHead } from './recognise-pi.ts'

const declaration = /\bcapabilities\s*:\s*\[([^\]]{0,1000})\]/

/**
 * The known names in the first list `capabilities: [...]` of the module; undefined if it has none. For people alone: the
 * manifest of the module that runs decides. @throws Error of the system
 */
export function declaredCapabilities(file: string): readonly string[] | undefined {
  const [, list] = declaration.exec(readHead(file)) ?? []
  if (list === undefined) return undefined
  const named = [...list.matchAll(/(['"`])(\w+)\1/g)].map(([, , name]) => name)
  return capabilities.filter((name) => named.includes(name))
}
