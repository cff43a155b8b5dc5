// Tests which session is proposed for a word that is no session's id.
import { lastValueFrom, of, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import { parseCommandLine } from '../../../../app/cli/command-line.ts'
import { suggestSession } from '../../../../app/commands/sessions/suggest-session.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const listed = [
  { id: 'abcdefghij23', title: 'Parser', firstWords: 'Write a parser' },
  { id: 'zyxwvutsrq72', firstWords: 'Rename it' },
  { id: 'mmmmmmmmmmmm', title: 'Parser' },
].map((session) => ({ ...session, file: '/f', updatedAt: 0, isLatest: false }))

/** Parses the words, which have to be refused, and returns the advised failure. */
function advised(words: readonly string[], listSessions: () => unknown): Promise<Failure> {
  const { world } = fakeWorld({ commands: { listSessions } as unknown as FakeCommands })
  try {
    parseCommandLine(words)
  } catch (refused) {
    return lastValueFrom(suggestSession(Failure.from(refused), world), { defaultValue: undefined as never }).catch(
      (thrown: unknown) => Failure.from(thrown),
    )
  }
  throw new Error('The words are valid')
}

const list$ = () => of({ sessions: listed, total: 3, more: false, problems: [] })

it.each([
  [['sessions', 'show', 'parsr'], 'nor a file. Did you mean abcdefghij23 ("Parser")?'],
  [['sessions', 'show', 'Parser'], '. Did you mean abcdefghij23 ("Parser")?'],
  [['sessions', 'undo', 'rename'], '. Did you mean zyxwvutsrq72 ("Rename it")?'],
  [['attach', 'abcd'], '. Did you mean abcdefghij23 ("Parser")?'],
  [['abort', 'abcdefghi23'], '. Did you mean abcdefghij23 ("Parser")?'],
  [['-p', 'x', '--session', 'zyxwvutsrq7'], '. Did you mean zyxwvutsrq72 ("Rename it")?'],
  [['--session', 'quite another'], '"quite another"; rxpi sessions list prints the ids'],
])('%j: %s [FIRST-nearest]', async (words, end) => {
  const { code, message } = await advised(words, list$)
  expect([code, message.slice(-end.length)]).toEqual(['bad_request', end])
})

it('names the list if the sessions cannot be listed', async () => {
  const { code, message } = await advised(['attach', 'x'], () => throwError(() => new Failure('storage', 'No disk')))
  expect([code, message]).toEqual(['bad_request', expect.stringMatching(/not "x"; rxpi sessions list prints the ids$/)])
})
