// Remarks about the sandbox in the result of a command: what it refused, and the way out.
import { concatMap, defer, finalize, map, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ConfinedIntruders, RefusedConnection, SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { ToolProgress } from '../../streams/ports/tool.ts'
import { runCommand } from './run-command.ts'
import type { CommandEnd, CommandOptions } from './run-command.ts'

/** The end of a command, with lines for the model. */
export interface RemarkedEnd extends CommandEnd {
  readonly remarks: readonly string[]
  /** Set if it ran in a terminal of a client. */
  readonly inClientTerminal?: true
}

export interface ConfinedOptions extends Omit<CommandOptions, 'sandbox'> {
  readonly sandbox: SessionSandbox | undefined
}

/** Most refused connections that one command remembers. */
const maxRefused = 20

/**
 * As `runCommand`, in the sandbox if there is one. Its end has remarks if the sandbox moved something away, or may be
 * the reason of a failure; that may take seconds. Buffers the first 20 refused connections.
 */
export function runConfined(command: string, options: ConfinedOptions): Observable<ToolProgress | RemarkedEnd> {
  const { sandbox } = options
  return defer(() => {
    const refused: RefusedConnection[] = []
    const refusals = sandbox?.refusedConnections$.subscribe((refusal) => {
      if (refused.length < maxRefused) refused.push(refusal)
    })
    return runCommand(command, options).pipe(
      concatMap((event) => (event.type === 'command_end' ? remarkOn(event, sandbox, refused) : of(event))),
      finalize(() => refusals?.unsubscribe()),
    )
  })
}

function remarkOn(
  event: CommandEnd,
  sandbox: SessionSandbox | undefined,
  refused: readonly RefusedConnection[],
): Observable<RemarkedEnd> {
  const remarks = event.intruders === undefined ? [] : intruderRemarks(event.intruders)
  if (sandbox?.profile === undefined || event.end.exitCode === 0) return of({ ...event, remarks })
  const failure = { exitCode: event.end.exitCode, output: event.output.text, refused }
  return sandbox.explain(failure).pipe(
    toArray(),
    map((texts) => ({ ...event, remarks: [...remarks, ...texts.map((text) => `[${text}]`)] })),
  )
}

function intruderRemarks({ moved, appeared }: ConfinedIntruders): readonly string[] {
  return [
    ...(moved.length === 0 ? [] : [`[Only a person may create this; the sandbox renamed it: ${moved.join(', ')}.]`]),
    ...(appeared.length === 0
      ? []
      : [`[This was created, and programs trust it by itself; tell the user: ${appeared.join(', ')}.]`]),
  ]
}
