// Describes the bundles: the command contains every package, the library imports shared ones.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { InputOptions, OutputOptions, Plugin } from 'rolldown'
import { hasBuildTrick } from './build-tricks.ts'
import { chunkGroups } from './chunk-groups.ts'
import { lateBuiltins } from './late-builtins.ts'

export interface Bundle {
  readonly input: InputOptions
  readonly output: OutputOptions
}

/** Entries that users import: name in `dist/lib` → source. An entry without a source is left out. */
const libraryEntries = {
  index: 'lib/index.ts',
  core: 'lib/core.ts',
  operators: 'lib/operators/index.ts',
  providers: 'lib/providers/index.ts',
  tools: 'lib/tools/index.ts',
  store: 'lib/store/index.ts',
  server: 'lib/server/index.ts',
  client: 'lib/client.ts',
  testing: 'lib/testing/index.ts',
} as const

/** The library's entries that exist: [name, source]. */
export function libraryEntriesOf(root: string): (readonly [name: string, source: string])[] {
  return Object.entries(libraryEntries).filter(([, source]) => existsSync(path.join(root, source)))
}

/** The bundle of `app/main.ts` and all its imports. Each SDK is a chunk that only its `import()` loads. */
export function commandBundle(root: string, folder: string): Bundle {
  return {
    input: {
      ...common(root),
      input: { main: path.join(root, 'app/main.ts') },
      // Node would load rxjs' ES5 CommonJS build, which is slower and cannot be tree-shaken.
      resolve: { alias: { rxjs: path.join(root, 'node_modules/rxjs/dist/esm') } },
      // Ink imports the first only under DEV=true. The next two have a part for each machine and are optional; jiti loads its
      // compiler by its own path.
      external: ['react-devtools-core', '@napi-rs/keyring', '@lydell/node-pty', 'jiti'],
      plugins: [fromCarried(sharedWithCommand), ...(hasBuildTrick('late-builtins') ? [lateBuiltins(root)] : [])],
      checks: { ineffectiveDynamicImport: false }, // extensions load by name what rxpi itself has loaded, as rxjs
    },
    output: {
      ...files,
      dir: path.join(folder, 'command'),
      minify: compact,
      codeSplitting: {
        groups: chunkGroups({
          start: path.join(root, 'app/main.ts'),
          together: path.join(root, 'app/commands/serve.ts'),
          server: path.join(root, 'lib/server/create-server.ts'),
          thread: path.join(root, 'lib/services/extensions/run-isolated.ts'),
        }),
      },
    },
  }
}

/**
 * Packages that the library loads with `import()`, by the name of their file. Installed, they would take ten times the space.
 * They need a bundle of their own: they import Node modules, and chunks that `rxpi/core` shares must not.
 */
const carried: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: '@anthropic-ai/sdk',
  google: '@google/genai',
  mcp: '@modelcontextprotocol/client',
  oauth: 'oauth4webapi',
  eventstream: '@smithy/core/event-streams',
  sigv4: 'aws4fetch',
  highlight: 'highlight.js/lib/common',
  markdown: 'markdown-it',
  search: 'minisearch',
  yaml: 'js-yaml',
  toml: 'smol-toml',
  tar: 'modern-tar',
  ws: 'ws',
}

/** Those that the command takes from the same files: large ones that few commands load. */
const sharedWithCommand = [
  'google',
  'mcp',
  'openai',
  'highlight',
  'oauth',
  'eventstream',
  'sigv4',
  'tar',
  'search',
  'ws',
] as const

/** The bundle with one file for each of those packages. */
export function carriedBundle(root: string, folder: string): Bundle {
  return {
    input: { ...common(root), input: carried, plugins: [withoutDefaultValidator] },
    output: { ...files, dir: path.join(folder, 'carried'), minify: compact },
  }
}

/** `rxpi/client` with rxjs in it, in one file, for the page of the gateway. */
export function pageBundle(root: string, folder: string): Bundle {
  return {
    input: {
      ...common(root),
      platform: 'browser',
      input: { 'rxpi-client': path.join(root, 'lib/client.ts') },
      resolve: { alias: { rxjs: path.join(root, 'node_modules/rxjs/dist/esm') } },
    },
    output: { ...files, dir: path.join(folder, 'web'), codeSplitting: false, minify: true },
  }
}

const placeholder = 'rxpi-carried/'

/** Points the imports of these packages at their files. @param names default: all */
function fromCarried(names: readonly string[] = Object.keys(carried)): Plugin {
  return {
    name: 'from-carried',
    resolveId: (specifier) => {
      const name = names.find((each) => carried[each] === specifier)
      return name === undefined ? null : { id: `${placeholder}${name}`, external: true }
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll(new RegExp(`(["'])${placeholder}(\\w+)\\1`, 'g'), (_, quote: string, name: string) => {
        const up = '../'.repeat(fileName.split('/').length)
        return `${quote}${up}carried/${name}.js${quote}`
      }),
  }
}

/** The validator of the SDK of MCP: a copy of Ajv, which rxpi replaces by one that it passes to each client. */
const withoutDefaultValidator: Plugin = {
  name: 'without-default-validator',
  resolveId: (specifier) => (specifier === '@modelcontextprotocol/client/_shims' ? specifier : null),
  load: (id) =>
    id === '@modelcontextprotocol/client/_shims'
      ? 'export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator {}'
      : null,
}

/** The bundle of the library. Dependencies and peers stay imports: users and library share one rxjs and one TypeBox. */
export function libraryBundle(root: string, folder: string): Bundle {
  const { dependencies, optionalDependencies, peerDependencies } = manifestOf(root)
  const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  const isInstalled = (specifier: string): boolean =>
    installed.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  return {
    input: {
      ...common(root),
      input: Object.fromEntries(libraryEntriesOf(root).map(([name, source]) => [name, path.join(root, source)])),
      // The runtime of the compiled validators is CommonJS, which a browser cannot load. The bundle contains it and its
      // imports.
      external: (specifier) => isInstalled(specifier) && !specifier.startsWith('ajv/dist/runtime/'),
      plugins: [fromCarried()],
    },
    output: { ...files, dir: path.join(folder, 'lib') },
  }
}

/**
 * A third less source to read at each start: `-p` against a local server takes 133 instead of 161 ms, 158 instead of 188 ms of
 * CPU. Names stay, so that a stack trace can be read.
 */
const compact = { codegen: true, compress: true, mangle: false } as const

const files = {
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
} satisfies OutputOptions

function common(root: string): InputOptions {
  return {
    cwd: root,
    platform: 'node',
    // Schema builders have no effects; without this a barrel of schemas drags all of TypeBox in.
    treeshake: { manualPureFunctions: ['Type'] },
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        RXPI_VERSION: JSON.stringify(manifestOf(root).version),
        // CommonJS packages that end up in an ES module; write-file-atomic names temporary files by `__filename`.
        __filename: 'import.meta.filename',
        __dirname: 'import.meta.dirname',
        // ws looks for two native packages, which nobody installs for rxpi
        'process.env.WS_NO_BUFFER_UTIL': '"1"',
        'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
      },
    },
  }
}

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

function manifestOf(root: string): Manifest {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest
}
