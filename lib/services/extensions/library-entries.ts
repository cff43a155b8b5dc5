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

const loaded = new Map<string, Promise<unknown>>()

/**
 * Emits the modules by name once they are loaded, and completes. All extensions of the process share them.
 * @param isNeeded decides for each name; default: all
 */
export function libraryEntries(
  isNeeded: (name: string) => boolean = () => true,
): Observable<Readonly<Record<string, unknown>>> {
  return defer(() => load(Object.keys(loaders).filter(isNeeded)))
}

async function load(names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const pairs = names.map(async (name) => {
    const module = loaded.get(name) ?? loaders[name]?.()
    if (module !== undefined) loaded.set(name, module)
    return [name, await module] as const
  })
  return Object.fromEntries(await Promise.all(pairs))
}
