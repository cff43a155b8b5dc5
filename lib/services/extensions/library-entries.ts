// Gathers the modules of this process that extensions import by name: both sides share their classes.
import { defer } from 'rxjs'
import type { Observable } from 'rxjs'

/** Loaded with the first extension. */
const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
  rxjs: () => import('rxjs'),
  // eslint-disable-next-line rxjs-x/prefer-root-operators -- extensions may import it
  'rxjs/operators': () => import('rxjs/operators'),
  rxpi: () => import('../../index.ts'),
  'rxpi/core': () => import('../../core.ts'),
  'rxpi/operators': () => import('../../operators/index.ts'),
  'rxpi/providers': () => import('../../providers/index.ts'),
  'rxpi/tools': () => import('../../tools/index.ts'),
  'rxpi/store': () => import('../../store/index.ts'),
  'rxpi/testing': () => import('../../testing/index.ts'),
  'rxpi/client': () => import('../../client.ts'),
  '@sinclair/typebox': () => import('@sinclair/typebox'),
  typebox: () => import('typebox'),
  'typebox/value': () => import('typebox/value'),
  'typebox/compile': () => import('typebox/compile'),
}

let entries: Promise<Readonly<Record<string, unknown>>> | undefined

/** Emits the modules by name once they are loaded, and completes. All extensions of the process share them. */
export function libraryEntries(): Observable<Readonly<Record<string, unknown>>> {
  return defer(() => (entries ??= load()))
}

async function load(): Promise<Readonly<Record<string, unknown>>> {
  const pairs = Object.entries(loaders).map(async ([name, each]) => [name, await each()] as const)
  return Object.fromEntries(await Promise.all(pairs))
}
