// Runs a person's own command, or a job of a tool, without a time limit.
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { catchError, defer, ignoreElements, map, of } from 'rxjs'
import { loadTerminal } from '../../host/process/terminal.ts'
import { Failure } from '../../streams/values/failure.ts'
import { redactionNotice } from '../../streams/ports/secrets.ts'
import type { Redaction, Secrets } from '../../streams/ports/secrets.ts'
import type { ToolContext } from '../../streams/ports/tool.ts'
import type { ShellEnd, UserShell } from '../../streams/ports/user-shell.ts'
import { runConfined } from './sandbox-remarks.ts'
import type { RemarkedEnd } from './sandbox-remarks.ts'

export interface UserShellOptions extends Pick<ToolContext, 'cwd' | 'env' | 'sessionId' | 'sandbox'> {
  /**
   * `$RXPI_HOME`, absolute: the full output of commands goes to `spill/<session id>` inside. Default: it is dropped.
   */
  readonly home?: string | undefined
  /** Hides secrets in the output. Default: nothing is hidden. */
  readonly secrets?: Secrets | undefined
}

/** Without a sandbox for a person's own commands; with the session's for jobs of tools. */
export function userShell({ home, secrets, ...context }: UserShellOptions): UserShell {
  const spillFolder = home === undefined ? undefined : path.join(home, 'spill')
  return Object.assign(
    (...[command, endWhen$, terminal, shellContext]: Parameters<UserShell>) =>
      defer(() => {
        const redaction = secrets?.begin()
        const input$ = terminal?.input$
        const { sandbox } = context
        const options = { ...context, sandbox, spillFolder, endWhen$, merged: true, input$, redaction, shellContext }
        return runConfined(command, options).pipe(
          map((event) => {
            if (event.type === 'command_end') return endOf(event, redaction)
            const { content, offset = 0 } = event
            return { type: 'output' as const, content, offset }
          }),
          catchError((thrown: unknown) => of(startFailure(Failure.from(thrown).message))),
        )
      }),
    { terminalCheck$: loadTerminal().pipe(ignoreElements()) },
  )
}

function endOf({ end, output, remarks }: RemarkedEnd, redaction: Redaction | undefined): ShellEnd {
  const { text, isCut, spill } = output
  const bare = stripVTControlCharacters(text).replaceAll('\r\n', '\n')
  // a secret that control characters had divided shows only without them
  const shown = redaction?.text(bare) ?? bare
  const notice = redactionNotice(redaction?.count ?? 0)
  const lines = [...remarks, ...(notice === undefined ? [] : [notice])]
  const gap = lines.length === 0 || shown === '' || shown.endsWith('\n') ? '' : '\n'
  return {
    type: 'end',
    output: `${shown}${gap}${lines.join('\n')}`,
    exitCode: end.exitCode,
    truncated: isCut,
    ...(spill?.path === undefined ? {} : { fullOutputPath: spill.path }),
  }
}

function startFailure(reason: string): ShellEnd {
  return { type: 'end', output: reason, exitCode: null, truncated: false }
}
