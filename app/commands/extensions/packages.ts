// Runs `rxpi install`, `list`, `remove` and `update`: packages of extensions, skills and templates.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { PackageRow } from '../../../lib/streams/commands/package-commands.ts'
import type { PackagesInvocation } from '../../cli/packages-arguments.ts'
import { endAtSignal } from '../../process/end-at-signal.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'

/** Emits the exit code. */
export function packages(invocation: PackagesInvocation, world: World): Observable<number> {
  return runAction(invocation, world).pipe(endAtSignal(world.signals$))
}

function runAction({ mode, wanted = '', cwd, json }: PackagesInvocation, world: World): Observable<number> {
  const { client, env, stdout } = world
  const surroundings = { cwd, env: { ...env } }
  const show = (result: object, rows: readonly PackageRow[], empty: string): number => {
    if (json) stdout.json(JSON.stringify(result))
    else printRows(rows, empty, world)
    return 0
  }
  switch (mode) {
    case 'install':
      return client
        .request({ type: 'package_install', ...surroundings, source: wanted })
        .pipe(map((result) => show(result, [result.package], '')))
    case 'list':
      return client
        .request({ type: 'package_list' })
        .pipe(map((result) => show(result, result.packages, 'no package is installed; see rxpi install --help')))
    case 'update':
      return client
        .request({ type: 'package_update', ...surroundings, ...(wanted === '' ? {} : { package: wanted }) })
        .pipe(
          map((result) =>
            show(result, result.packages, 'every package is pinned, or a folder that is used where it is'),
          ),
        )
    case 'remove':
      return client.request({ type: 'package_remove', package: wanted }).pipe(
        map((result) => {
          if (json) stdout.json(JSON.stringify(result))
          else stdout.text(`removed ${result.name}\n`)
          return 0
        }),
      )
  }
}

function printRows(rows: readonly PackageRow[], empty: string, { stdout, stderr }: World): void {
  stdout.text(rows.map(rowText).join(''))
  if (rows.length === 0) report(stderr, empty)
  for (const { path, message } of rows.flatMap(({ problems }) => problems)) report(stderr, `${path}: ${message}`)
}

const kinds = ['extensions', 'skills', 'prompts', 'themes', 'scenarios'] as const

function rowText(row: PackageRow): string {
  const { name, version = '', source, pinned, path, integrity } = row
  const brought = kinds.flatMap((kind) => (row[kind].length === 0 ? [] : [`${kind} ${row[kind].length}`]))
  const trust = row.extensions.length === 0 ? '' : `\n  rxpi extensions list shows whether they run`
  const content = integrity === undefined ? '' : `\n  ${integrity}`
  const words = brought.length === 0 ? 'it brings nothing that rxpi knows' : brought.join(', ')
  return `${name} ${version}  (${source}${pinned ? ', pinned' : ''})\n  ${path}${content}\n  ${words}${trust}\n`
}
