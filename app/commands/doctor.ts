// Runs `rxpi doctor`: prints one line a check, or one JSON document.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../lib/streams/commands/command.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import type { DoctorInvocation } from '../cli/invocation.ts'
import type { World } from '../process/world.ts'

type Check = ResultOf<'doctor'>['checks'][number]

/** Emits the exit code: 1 if a required check fails. */
export function doctor(
  { cwd, model, json }: DoctorInvocation,
  { client, env, stdout, signals$ }: World,
): Observable<number> {
  const command: CommandNamed<'doctor'> = {
    type: 'doctor',
    cwd,
    env: { ...env },
    ...(model === undefined ? {} : { model }),
  }
  return client.request(command).pipe(
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(result.checks.map(lineOf).join(''))
      return result.checks.some(({ ok, required }) => required && !ok) ? 1 : 0
    }),
    endAtSignal(signals$),
  )
}

function lineOf({ name, ok, required, message }: Check): string {
  const mark = ok ? 'ok  ' : required ? 'FAIL' : 'note'
  return `${mark}  ${name.padEnd(14)} ${message}\n`
}
