// What of Node takes milliseconds to load is loaded at the first call: a server that waits for its first client hashes nothing.
import type { Plugin } from 'rolldown'

/** By module: the functions that we import of it. Another one has to be named here; the build says so. */
const late: Readonly<Record<string, readonly string[]>> = {
  'node:crypto': ['createHash', 'randomUUID', 'timingSafeEqual'],
  'node:zlib': ['crc32'],
}

const prefix = '\0late:'

/** For our own modules; packages get the platform's. */
export function lateBuiltins(root: string): Plugin {
  return {
    name: 'late-builtins',
    resolveId: (specifier, importer = '') => {
      const isOurs = importer.startsWith(root) && !importer.includes('/node_modules/')
      return isOurs && specifier in late ? `${prefix}${specifier}` : null
    },
    load: (id) => (id.startsWith(prefix) ? lateModule(id.slice(prefix.length)) : null),
  }
}

function lateModule(name: string): string {
  const called = (late[name] ?? []).map(
    (each) => `export const ${each} = (...given) => (module ??= process.getBuiltinModule('${name}')).${each}(...given)`,
  )
  return ['let module', ...called, ''].join('\n')
}
