// Tests the completion of commands that the session's server has: skills, templates and rxpi's own.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { submissionOf } from '../../../../app/ui/contract/submission.ts'
import { serverCommands } from '../../../../app/ui/completion/find-suggestions.ts'
import type { Ui } from '../../../../app/ui/contract/ui.ts'
import { resultOf } from '../../../support/result-of.ts'

const review = { name: 'review', kind: 'command', description: 'reviews', argument: '[what]', source: 'built-in' }
const asking = (request: () => unknown): Pick<Ui, 'request'> => ({ request: request as Ui['request'] })

describe('commands of the server', () => {
  it('are those of list_commands [COMMAND-list_commands]', async () => {
    const ui = asking(() => of({ commands: [review], problems: [] }))
    expect(await resultOf(serverCommands(ui, 'abcdefghij23'))).toEqual([review])
  })

  it('are none if the server does not know the question', async () => {
    expect(
      await resultOf(
        serverCommands(
          asking(() => throwError(() => new Error('unknown'))),
          'x',
        ),
      ),
    ).toEqual([])
  })
})

describe('a queued command', () => {
  it('is shown and edited as it was typed', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AA' } as const
    const invocation = { kind: 'command', name: 'review', args: 'src' }
    expect(submissionOf({ content: [{ type: 'text', text: 'Review src.' }, image], invocation })).toEqual({
      text: '/review src',
      images: [image],
    })
  })
})
