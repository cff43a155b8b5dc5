// Runs `rxpi sessions verify` and `repair`: prints the damaged lines of a log, or one JSON document.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { LogInvocation } from '../../cli/invocation.ts'
import type { World } from '../../process/world.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

type Verdict = ResultOf<'verify_session'>
type Repair = ResultOf<'repair_session'>

/** Emits the exit code: 1 if `verify` finds a damaged or torn line. */
export function checkLogs({ action, target, json }: LogInvocation, { client, stdout }: World): Observable<number> {
  const show = <Result extends Verdict>(result: Result, text: (result: Result) => string): void => {
    if (json) stdout.json(JSON.stringify(result))
    else stdout.text(text(result))
  }
  return action === 'verify'
    ? client.request({ type: 'verify_session', ...target }).pipe(
        map((verdict) => {
          show(verdict, verdictText)
          return verdict.clean ? 0 : 1
        }),
      )
    : client.request({ type: 'repair_session', ...target }).pipe(
        map((repair) => {
          show(repair, repairText)
          return 0
        }),
      )
}

function verdictText({ file, clean, lines, head, damaged, damages }: Verdict): string {
  if (clean) return `${file} is clean: ${countOf(lines, 'line')}, ${countOf(head, 'event')}\n`
  const listed = damages.map(({ line, problem }) => `  line ${line}: ${problem}\n`).join('')
  const more = damaged > damages.length ? `  and ${damaged - damages.length} more\n` : ''
  const advice = `To write a repaired copy: rxpi sessions repair ${quoteForShell(file)}\n`
  return `${file} is damaged in ${damaged} of ${countOf(lines, 'line')}:\n${listed}${more}${advice}`
}

function repairText({ file, repaired, lost, changed }: Repair): string {
  if (repaired === undefined) return `${file} is clean: there is nothing to repair\n`
  const aside = `${file}.damaged`
  return [
    `Repaired copy: ${repaired}\n`,
    lost.length === 0 ? 'Nothing is lost.\n' : `Lost:\n${indentLines(lost)}`,
    changed.length === 0 ? '' : `Repaired:\n${indentLines(changed)}`,
    `${file} did not change. To continue with the copy, while no rxpi has the session open:\n`,
    `  mv ${quoteForShell(file)} ${quoteForShell(aside)} && mv ${quoteForShell(repaired)} ${quoteForShell(file)}\n`,
  ].join('')
}

function indentLines(texts: readonly string[]): string {
  return texts.map((text) => `  ${text}\n`).join('')
}

/** Quotes a file name for a shell. */
function quoteForShell(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`
}
