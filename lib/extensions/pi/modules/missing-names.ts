// Gives a module every name that an extension may import: one that rxpi lacks fails when it is used.
import { unsupported } from '../contract/unsupported.ts'

/** Names that module systems look up themselves. */
const looked: ReadonlySet<string> = new Set(['default', 'then', 'toJSON', '$$typeof'])

/** The exports, and for each other name a function or class that fails with `bad_request` and names itself. */
export function withMissingNames(
  module: string,
  exports: Readonly<Record<string, unknown>>,
  why = 'rxpi has no such part',
): Record<string, unknown> {
  const absent = new Map<string, unknown>()
  return new Proxy<Record<string, unknown>>(
    { __esModule: true, ...exports },
    {
      get: (target, name) => {
        if (typeof name === 'symbol' || name in target || looked.has(name)) return Reflect.get(target, name) as unknown
        const known = absent.get(name) ?? missing(module, name, why)
        absent.set(name, known)
        return known
      },
    },
  )
}

/** It can be imported, passed on and extended; calling or constructing it fails, and so does a function of it, such as `create`. */
function missing(module: string, name: string, why: string): unknown {
  const missingName = function missingName(): never {
    throw unsupported(`${name} of ${module}`, why)
  }
  return new Proxy(missingName, {
    get: (target, member) =>
      typeof member === 'symbol' || member in target || looked.has(member)
        ? (Reflect.get(target, member) as unknown)
        : missing(module, `${name}.${member}`, why),
  })
}
