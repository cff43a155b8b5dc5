// Makes the bundled command load Node's `crypto` and `zlib` at the first call instead of at the start.
//
// Effect: the two modules take 5 ms to load, and a server that waits for its first client calls neither.
// Measured 2026-11-23, Node 24.21, `node bench/build-pairs.ts WITH WITHOUT --rows ready`: without it `rxpi rpc` is
// ready after 1.09 times the time and 1.10 times the CPU time, `rxpi serve` after 1.07 times both. It makes no other
// row slower.
// Off: `RXPI_BUILD_WITHOUT=late-builtins npm run build`. Table: docs/decisions/0110-build-tricks.md.
// Guarantees: the sources import as ever; the build fails if they import another function of these modules.
import type { Plugin } from 'rolldown'

/** Module → functions that our sources import. A missing name fails the build. */
const late: Readonly<Record<string, readonly string[]>> = {
  'node:crypto': ['createHash', 'hash', 'randomBytes', 'randomUUID', 'timingSafeEqual'],
  'node:zlib': ['crc32', 'gunzip'],
}

const prefix = '\0late:'

/** Replaces the modules for our own sources only. Packages get the platform's. */
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
