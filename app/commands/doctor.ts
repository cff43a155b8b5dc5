// Runs `rxpi doctor`: prints one line a check, or one JSON document.
import { forkJoin, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../lib/streams/commands/command.ts'
import { serverGateway } from '../connect/server-gateway.ts'
import { serverKeys } from '../connect/server-keys.ts'
import type { ListedKeys } from '../connect/server-keys.ts'
import { serverProblems } from '../connect/server-problems.ts'
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
  return forkJoin([
    client.request(command),
    serverKeys({ env, cwd }),
    serverProblems({ env, cwd }),
    serverGateway(env),
  ]).pipe(
    map(([result, keys, problems, gateway]) => {
      const local = result.checks.map((check) => withProblem(check, problems))
      const checks = [...local, gatewayCheck(gateway), ...serverKeysCheck(keys)]
      if (json) stdout.json(JSON.stringify({ ...result, checks }))
      else stdout.text(checks.map(lineOf).join(''))
      return checks.some(({ ok, required }) => required && !ok) ? 1 : 0
    }),
    endAtSignal(signals$),
  )
}

function gatewayCheck(address: string | undefined): Check {
  const message =
    address ?? 'off; rxpi serve --http PORT --web opens one, with a page for your sessions (docs/gateway.md)'
  return { name: 'gateway', ok: true, required: false, message }
}

/** Keys that a command such as `rxpi -p` does not have. */
function serverKeysCheck(keys: ListedKeys): Check[] {
  if (keys.length === 0) return []
  const names = keys.map(({ provider, keys: [first] }) => `${provider} (${first?.name ?? 'key'})`)
  const message = `${names.join(', ')}, from the shell that started the server; sessions of the server use them`
  return [{ name: 'server keys', ok: true, required: false, message }]
}

/** Adds the problem of an MCP server in open sessions, which another process has. */
function withProblem(check: Check, problems: ReadonlyMap<string, string>): Check {
  const problem = problems.get(check.name.replace(/^mcp /, ''))
  if (problem === undefined || !check.name.startsWith('mcp ')) return check
  return { ...check, ok: false, message: `${check.message}; in open sessions ${problem}` }
}

function lineOf({ name, ok, required, message }: Check): string {
  const mark = ok ? 'ok  ' : required ? 'FAIL' : 'note'
  return `${mark}  ${name.padEnd(14)} ${message}\n`
}
