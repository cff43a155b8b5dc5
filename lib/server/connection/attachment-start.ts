// Where an attachment begins in the log: behind what the client has, or so many events before the end.
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'

/**
 * The last `seq` that the client is not sent; nothing where it is sent nothing of the log.
 * @throws Failure `bad_request` where `after` is beyond `head`, or given together with `tail`
 */
export function attachmentStart(
  { after, tail }: Pick<CommandNamed<'attach'>, 'after' | 'tail'>,
  head: number,
): number | undefined {
  if (after !== undefined && tail !== undefined) throw new Failure('bad_request', 'Give after or tail, not both')
  if (after !== undefined && after > head) {
    throw new Failure('bad_request', `after is ${after}, but the log ends at ${head}`, { data: { head } })
  }
  return tail === undefined ? after : Math.max(0, head - tail)
}
