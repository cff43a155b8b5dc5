// Runs `rxpi models update`: fetches newer data of the catalogue, looks for it, or resets it.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import type { UsedCatalogue } from '../../lib/streams/commands/model-commands.ts'
import { currentFolder } from '../process/current-folder.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import { report } from '../process/progress.ts'
import type { World } from '../process/world.ts'
import { countOf } from '../../lib/streams/values/count-of.ts'

interface UpdateOptions {
  readonly check: boolean
  readonly reset: boolean
  readonly json: boolean
}

/** Emits the exit code: 0. A failure names its reason. */
export function updateModels({ check, reset, json }: UpdateOptions, world: World): Observable<number> {
  const { client, env, stdout, stderr, signals$ } = world
  const wish = { ...(check && { check }), ...(reset && { reset }) }
  return client.request({ type: 'update_models', cwd: currentFolder(), env: { ...env }, ...wish }).pipe(
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(`${resultText(result, reset)}\n`)
      if (!json) for (const line of noteLines(result)) report(stderr, line)
      return 0
    }),
    endAtSignal(signals$),
  )
}

/** `2026-11-10 (a-package 1.5.2, fetched on 2026-11-26)`. */
export function sourceText({ name, version, date, at }: UsedCatalogue): string {
  const fetched = at === undefined ? '' : `, fetched on ${new Date(at).toISOString().slice(0, 10)}`
  return `${date} (${name} ${version}${fetched})`
}

function resultText({ source, latest, newer, changed, models }: ResultOf<'update_models'>, reset: boolean): string {
  const used = sourceText(source)
  if (reset) return changed ? `the data of rxpi is used again: ${used}` : `the data of rxpi is used: ${used}`
  if (changed) return `models as of ${used}: ${countOf(models ?? 0, 'model')}`
  if (!newer || latest === undefined) return `nothing newer: models as of ${used}`
  return `there is newer data: ${latest.version} of ${latest.date}; in use are models as of ${used}; rxpi models update fetches it`
}

function noteLines({ source, unlisted = [], leftOut = [] }: ResultOf<'update_models'>): readonly string[] {
  return [
    ...(source.problem === undefined ? [] : [source.problem]),
    ...(unlisted.length === 0 ? [] : [`the package lists no models of ${unlisted.join(', ')}: the lists of rxpi stay`]),
    ...(leftOut.length === 0 ? [] : [`left out, as their API is another: ${leftOut.join(', ')}`]),
  ]
}
