// Asks the client that offers its files for the text of one, in place of the disk.
// Guarantees: only for files in the session's folder, and never while a program runs inside the sandbox.
import path from 'node:path'
import { catchError, firstValueFrom, map, of, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { isInside, realTarget } from '../../host/files/resolve-path.ts'
import type { ClientFiles } from '../../streams/environment/file-exchange.ts'
import type { ToolContext } from '../../streams/ports/tool.ts'
import { fromSignal } from '../../streams/rx/from-signal.ts'
import { Failure } from '../../streams/values/failure.ts'

/** An answer of the client, or why there is none, as a part of a sentence. */
export type ClientAnswer<Value> = { readonly value: Value } | { readonly problem: string }

export interface ClientExchange {
  readonly canWrite: boolean
  /** The text; undefined if the client has no such file. Rejects if the signal aborts. */
  read(signal: AbortSignal): Promise<ClientAnswer<string | undefined>>
  write(text: string, signal: AbortSignal): Promise<ClientAnswer<void>>
  /** The caller calls it in the end: programs inside the sandbox wait for it. */
  close(): void
}

export interface ExchangedFile {
  /** Absolute, as requested. */
  readonly path: string
  /** The real target that was checked. */
  readonly target: string
}

/** The deciding part of a call's context. */
export type ExchangeContext = Pick<ToolContext, 'cwd'> & Partial<Pick<ToolContext, 'clientFiles' | 'sandbox'>>

/** Undefined: the disk counts. A problem: the client could not be asked, and may have changes that are not saved. */
export function beginExchange(
  file: ExchangedFile,
  context: ExchangeContext,
): ClientExchange | { readonly problem: string } | undefined {
  const files = context.clientFiles?.()
  const name = clientName(file.target, context.cwd)
  if (files === undefined || name === undefined) return undefined
  const close = enter(context)
  if (close === undefined) return { problem: 'it is not asked while a command runs in the sandbox' }
  if (realTarget(file.path) === file.target) return exchange(files, name, close)
  close()
  return undefined // a link on the way was changed: the disk's own checks decide
}

/** Undefined while a program runs inside the sandbox: it could put a link in the place of the checked file. */
function enter({ sandbox }: ExchangeContext): (() => void) | undefined {
  if (sandbox?.profile === undefined) return () => undefined
  const held = sandbox.exchange?.()
  return held === undefined ? undefined : () => held.unsubscribe()
}

/** The name in the folder as the client has it, without links below; undefined outside of it. */
function clientName(target: string, cwd: string): string | undefined {
  const folder = realTarget(cwd)
  return target !== folder && isInside(target, folder) ? path.join(cwd, path.relative(folder, target)) : undefined
}

function exchange(files: ClientFiles, name: string, close: () => void): ClientExchange {
  return {
    canWrite: files.canWrite,
    read: (signal) => answerOf(files.read(name), signal),
    write: (text, signal) => answerOf(files.write(name, text), signal),
    close,
  }
}

async function answerOf<Value>(value$: Observable<Value>, signal: AbortSignal): Promise<ClientAnswer<Value>> {
  const answer = await firstValueFrom(
    value$.pipe(
      map((value): ClientAnswer<Value> => ({ value })),
      catchError((thrown: unknown) => of({ problem: Failure.from(thrown).message })),
      takeUntil(fromSignal(signal)),
    ),
    { defaultValue: { problem: 'it did not answer' } },
  )
  signal.throwIfAborted()
  return answer
}
