// Builds validators, both bundles and declarations into a new folder, then switches to that folder.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { writeInAscii } from './ascii-source.ts'
import { buildSources } from './build-record.ts'
import { hasBuildTrick } from './build-tricks.ts'
import type { Bundle } from './bundles.ts'
import { carriedBundle, commandBundle, libraryBundle, libraryEntriesOf, pageBundle } from './bundles.ts'
import { declare } from './declarations/declare.ts'
import { markFirstRun } from './eager-functions.ts'
import { launcherSettings } from './launcher-settings.ts'
import { licencesOf } from './licences.ts'
import { replaceFile } from '../shared/replace-file.ts'
import { switchBuild } from './switch-build.ts'
import { ensureValidators } from '../validators/validators.ts'

/** Builds the clone at `root`. Reports on stderr, because stdout belongs to the command under `npm start`. */
export async function build(root: string): Promise<void> {
  const started = performance.now()
  // Before the build: if a source changes meanwhile, the build counts as stale.
  const sources = buildSources(root)
  ensureValidators(root)
  const dist = path.join(root, 'dist')
  mkdirSync(dist, { recursive: true })
  const fresh = mkdtempSync(path.join(dist, 'fresh-'))
  chmodSync(fresh, 0o755) // `mkdtemp` gives 0700; another user may run a linked command
  try {
    const hasLibrary = libraryEntriesOf(root).length > 0
    const isEager = hasBuildTrick('eager-functions')
    const modules = new Set<string>()
    const made = async (bundle: Bundle): Promise<void> => {
      for (const module of await bundled(bundle)) modules.add(module)
    }
    await all([
      made(commandBundle(root, fresh))
        .then(() => (isEager ? markFirstRun('command', path.join(fresh, 'command')) : undefined))
        .then(() => {
          if (hasBuildTrick('ascii-source')) writeInAscii(path.join(fresh, 'command'))
        }),
      ...(hasLibrary ? [declare(root, fresh)] : []),
      ...(hasLibrary
        ? [
            made(libraryBundle(root, fresh)).then(() =>
              isEager ? markFirstRun('library', path.join(fresh, 'lib')) : undefined,
            ),
            made(carriedBundle(root, fresh)),
            ...(existsSync(path.join(root, pageSources))
              ? [made(pageBundle(root, fresh)).then(() => copyPage(root, fresh))]
              : []),
          ]
        : []),
    ])
    writeFileSync(path.join(fresh, 'licences.txt'), licencesOf(modules))
    replaceFile(path.join(dist, 'memory.sh'), launcherSettings())
    const name = switchBuild(dist, fresh, stablePaths(root))
    replaceFile(path.join(dist, 'build.json'), `${JSON.stringify({ sources, build: name })}\n`)
    console.error(`Built dist/${name} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

const pageSources = 'examples/web'

/** Copies the files of the page beside its client. */
function copyPage(root: string, fresh: string): void {
  for (const name of readdirSync(path.join(root, pageSources)))
    copyFileSync(path.join(root, pageSources, name), path.join(fresh, 'web', name))
}

/** Rejects with the first fault after every step has ended, so that nothing writes any more. */
async function all(steps: readonly Promise<void>[]): Promise<void> {
  const fault = (await Promise.allSettled(steps)).find((result) => result.status === 'rejected')
  if (fault !== undefined) throw fault.reason
}

/** Writes a bundle; resolves to the source modules in it. */
async function bundled({ input, output }: Bundle): Promise<readonly string[]> {
  const made = await rolldown(input)
  try {
    const { output: chunks } = await made.write(output)
    return chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  } finally {
    await made.close()
  }
}

function stablePaths(root: string): Record<string, string> {
  const library = libraryEntriesOf(root).flatMap(([name, source]) => [
    [`lib/${name}.js`, `lib/${name}.js`],
    [`lib/${name}.d.ts`, source.replace(/^lib\/(.*)\.ts$/, 'types/$1.js')],
  ])
  return { 'main.js': 'command/main.js', ...(Object.fromEntries(library) as Record<string, string>) }
}

if (import.meta.main) await build(path.resolve(import.meta.dirname, '../..'))
