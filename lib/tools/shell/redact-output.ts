// Hides secrets in the output of a process before any part of it is stored.
import { defer, mergeMap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { ConfinedEnd, ConfinedOutput } from '../../streams/ports/sandbox.ts'
import type { Redaction } from '../../streams/ports/secrets.ts'

/**
 * Redacts both pipes, each as one text. Ends and fails with its source. Buffers the part of each pipe that may be the
 * beginning of a secret, and emits it before the end of the process; unsubscribing or an error drops it.
 */
export function redactOutput(redaction: Redaction): MonoTypeOperatorFunction<ConfinedOutput | ConfinedEnd> {
  return (source$) =>
    defer(() => {
      const pipes = { stdout: redaction.stream(), stderr: redaction.stream() }
      return source$.pipe(
        mergeMap((event): (ConfinedOutput | ConfinedEnd)[] => {
          if (event.type === 'output') return outputOf(event.stream, pipes[event.stream].push(event.text))
          return [...outputOf('stdout', pipes.stdout.end()), ...outputOf('stderr', pipes.stderr.end()), event]
        }),
      )
    })
}

function outputOf(stream: ConfinedOutput['stream'], text: string): ConfinedOutput[] {
  return text === '' ? [] : [{ type: 'output', stream, text }]
}
