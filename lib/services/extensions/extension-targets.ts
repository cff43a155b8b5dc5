// Finds the extensions that a person means by a name, an id or a path.
import { realTarget } from '../../host/files/resolve-path.ts'
import type { ExtensionSource } from '../../extensions/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'

/**
 * One extension, or all of one package. @throws Failure `bad_request` if there is none, or a name that several places have
 */
export function findTargets(sources: readonly ExtensionSource[], wanted: string): readonly ExtensionSource[] {
  const exact = sources.filter(({ id }) => id === wanted)
  if (exact.length > 0) return exact
  const file = wanted.startsWith('/') ? realTarget(wanted) : undefined
  const found = sources.filter(
    ({ name, root, entry }) =>
      root === file || entry === file || name === wanted || (file === undefined && name.startsWith(`${wanted}/`)),
  )
  const roots = new Set(found.map(({ origin, root }) => `${origin}:${root}`))
  if (roots.size > 1)
    throw new Failure(
      'bad_request',
      `Several extensions are named ${wanted}; use an id: ${found.map(({ id }) => id).join(', ')}`,
    )
  if (found.length > 0) return found
  const names = sources.map(({ name }) => name)
  const near = didYouMean(wanted, names) || (names.length === 0 ? '; there is none' : `; there are ${names.join(', ')}`)
  throw new Failure('bad_request', `There is no extension "${wanted}" here${near}`)
}
