// Runs a person's shell command as an extension does, by the rules of the session's own shell.
import { Observable, bufferTime, catchError, concat, defer, filter, map, of, takeUntil } from 'rxjs'
import { stripVTControlCharacters } from 'node:util'
import type { UserBashAnswer, UserCommandEnd } from '../api/extension-hooks.ts'
import type { UserCommandAnswer } from '../../streams/ports/hooks.ts'
import { redactionNotice } from '../../streams/ports/secrets.ts'
import type { Redaction, Secrets } from '../../streams/ports/secrets.ts'
import type { ShellEnd, UserShell } from '../../streams/ports/user-shell.ts'
import { appendOutput } from '../../streams/state/fold-output.ts'
import type { OutputTail } from '../../streams/state/fold-output.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { truncateTail } from '../../streams/values/truncate.ts'
import type { ExtensionManifest } from '../api/define-extension.ts'
import type { ApiParts } from './api-parts.ts'
import { needCapability } from './check-registration.ts'
import type { ExtensionSet } from './set-contract.ts'

/** Of the message: as those of the session's shell. */
const outputLimits = { maxLines: 2_000, maxBytes: 51_200 }
/** Milliseconds over which pieces of output are joined, and how many at most. */
const joinMs = 50
const mostJoined = 1_000

/** Turns extensions' answers into the session's actions. */
export function commandAnswers(
  manifests: () => readonly ExtensionManifest[],
  onUse: ApiParts['onUse'],
): ExtensionSet['userCommandAnswer'] {
  return (name, answer, secrets) => {
    const manifest = manifests().find((each) => each.name === name)
    const needExec = () => manifest && needCapability({ manifest, onUse }, 'exec', 'the hook user_bash')
    return userCommandAnswer(answer, needExec, secrets)
  }
}

/**
 * Turns the answer into the session's action.
 * @param needExec throws a Failure if the extension may not change commands
 * @param secrets hidden in what the extension puts out
 */
function userCommandAnswer(
  { block, result, run, command }: UserBashAnswer,
  needExec: () => void,
  secrets: Secrets | undefined,
): UserCommandAnswer {
  if (block !== undefined) return { block }
  if ((result ?? run ?? command) === undefined) return {}
  needExec()
  if (result !== undefined) return { run: ownShell(() => of(result.output, result), secrets) }
  if (run !== undefined) return { run: ownShell(run, secrets) }
  return command === undefined ? {} : { command }
}

/** Pieces of output are joined, secrets are hidden, a failure is output. Unsubscribes `run` when the command is to end. */
function ownShell(run: NonNullable<UserBashAnswer['run']>, secrets: Secrets | undefined): UserShell {
  return (command, endWhen$) =>
    new Observable((subscriber) => {
      const redaction = secrets?.begin()
      const shown = redaction?.preview()
      let tail: OutputTail = { offset: 0, text: '' }
      let offset = 0
      let exitCode: number | null = null
      const redacted = (content: string): string => {
        tail = appendOutput(tail, { offset: tail.offset + tail.text.length, content })
        return shown?.push(content) ?? content
      }
      const piece = (content: string) => {
        const start = offset
        offset += content.length
        return { type: 'output', content, offset: start } as const
      }
      const printed$ = defer(() => run(command)).pipe(
        catchError((thrown: unknown) => of(describeThrown(thrown))),
        filter((each: string | UserCommandEnd): each is string => {
          if (typeof each !== 'string') exitCode = each.exitCode
          return typeof each === 'string' && each !== ''
        }),
        takeUntil(endWhen$),
      )
      const text$ = printed$.pipe(
        bufferTime(joinMs, null, mostJoined),
        map((pieces) => redacted(pieces.join(''))),
      )
      const piece$ = concat(
        text$,
        defer(() => of(shown?.end() ?? '')),
      ).pipe(
        filter((text) => text !== ''),
        map(piece),
      )
      const end$ = defer(() => of(endOf(tail, exitCode, redaction)))
      return concat(piece$, end$).subscribe(subscriber)
    })
}

/** A secret that control characters had divided shows only without them. */
function endOf({ text, offset }: OutputTail, exitCode: number | null, redaction: Redaction | undefined): ShellEnd {
  const bare = stripVTControlCharacters(text).replaceAll('\r\n', '\n')
  const { text: output, cutBy } = truncateTail(redaction?.text(bare) ?? bare, outputLimits)
  const notice = redactionNotice(redaction?.count ?? 0) ?? ''
  const gap = notice === '' || output === '' || output.endsWith('\n') ? '' : '\n'
  return { type: 'end', output: `${output}${gap}${notice}`, exitCode, truncated: offset > 0 || cutBy !== undefined }
}
