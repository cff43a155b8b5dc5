// Runs `rxpi sessions export` and `import`; prints each content that the format cannot hold.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { ExportInvocation, ImportInvocation } from '../../cli/invocation.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

type Note = ResultOf<'import_session'>['notes'][number]
interface Notes {
  readonly notes: readonly Note[]
  readonly moreNotes: number
}

/** Emits the exit code; writes the text to standard output or to a file. */
export function exportSession(
  { target, format, to, overwrite, json }: ExportInvocation,
  { client, stdout, stderr }: World,
): Observable<number> {
  const where = to === undefined ? {} : { to, ...(overwrite === undefined ? {} : { overwrite }) }
  return client.request({ type: 'export_session', ...target, format, ...where }).pipe(
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else {
        reportNotes(stderr, result)
        if (result.text !== undefined) stdout.text(result.text)
        if (result.file !== undefined) report(stderr, `wrote ${result.file}`)
      }
      return 0
    }),
  )
}

/** Emits the exit code. */
export function importSession(
  { file, cwd, json }: ImportInvocation,
  { client, stdout, stderr }: World,
): Observable<number> {
  return client.request({ type: 'import_session', file, cwd }).pipe(
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else {
        reportNotes(stderr, result)
        stdout.text(importedText(result, cwd))
      }
      return 0
    }),
  )
}

function importedText({ session, messages, format }: ResultOf<'import_session'>, cwd: string): string {
  const from = format === 'pi' ? 'a session of pi' : 'a log of rxpi'
  return `Imported ${countOf(messages, 'message')} of ${from} as session ${session} of ${cwd}. To continue it: rxpi --session ${session} -p "…"\n`
}

/** Maximum of printed notes; `--json` has up to a thousand. */
const shownNotes = 20

function reportNotes(stderr: World['stderr'], { notes, moreNotes }: Notes): void {
  for (const { line, message } of notes.slice(0, shownNotes)) report(stderr, `line ${line}: ${message}`)
  const more = notes.length - shownNotes + moreNotes
  if (more > 0) report(stderr, `and ${more} more like these; --json lists them`)
}
