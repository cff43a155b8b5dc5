// Runs `rxpi tool`: calls one tool and prints its result as text or JSON.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import type { UserContent } from '../../lib/streams/messages/message.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import type { ToolInvocation } from '../cli/invocation.ts'
import type { World } from '../process/world.ts'

/** Emits the exit code, 1 if the result is an error; an interrupt ends the call. */
export function tool(
  { mode: _, json, ...call }: ToolInvocation,
  { client, env, stdout, signals$ }: World,
): Observable<number> {
  return client.request({ type: 'run_tool', ...call, env: { ...env } }).pipe(
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(plainText(result))
      return result.isError ? 1 : 0
    }),
    endAtSignal(signals$),
  )
}

function plainText({ content }: ResultOf<'run_tool'>): string {
  const text = content.map(blockText).join('\n')
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function blockText(block: UserContent): string {
  return block.type === 'text' ? block.text : `[image: ${block.mimeType}]`
}
