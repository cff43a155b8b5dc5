// Tests completion in the composer.
import { cleanup } from '../../../support/ink-screen.ts'
import { Subject, mergeMap, timer } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import type { Suggestion } from '../../../../app/ui/completion/completion.ts'
import { composed, esc, suggestions } from './composer-scene.tsx'

afterEach(cleanup)

describe('the list of completions', () => {
  it('ignores suggestions for an earlier text', async () => {
    const { sent, type } = composed()
    await type(['/n', 'ew\r'], () => sent, ['steer: /new'])
  })

  it('shows commands with descriptions, and inserts the chosen one', async () => {
    const { frame, type } = composed()
    await type(['/'], frame, [
      'above',
      '› /',
      '❯ /help          commands and keys',
      '  /model [name]  choose the model',
      '  /name          name the session',
    ])
    await type([`${esc}[B`], () => frame()[3], '❯ /model [name]  choose the model')
    await type(['\t'], frame, ['above', '› /model'])
  })

  it('moves once per key press in one chunk, and inserts the row it reaches', async () => {
    const { frame, type } = composed()
    await type(['/'], () => frame().length, 5)
    await type([`${esc}[B${esc}[B\t`], frame, ['above', '› /name'])
  })

  it('sends a command that is typed in full', async () => {
    const { frame, sent, type } = composed()
    await type(['/help'], frame, ['above', '› /help', '❯ /help  commands and keys'])
    await type(['\r'], () => sent, ['steer: /help'])
  })

  it('finds a command by its alias', async () => {
    const { frame, type } = composed()
    await type(['/ren'], frame, ['above', '› /ren', '❯ /rename  name the session'])
    await type(['\r'], frame, ['above', '› /rename'])
  })

  it('closes at Esc until the text changes, and that Esc aborts no run', async () => {
    const { actions, frame, type } = composed()
    await type(['/'], () => frame().length, 5)
    await type([esc], frame, ['above', '› /'])
    await type(['n'], () => frame()[2], '❯ /name  name the session')
    expect(actions).toEqual([])
  })

  it('closes at the second Esc of three if the suggestions come late, and no Esc opens the tree', async () => {
    const found$ = new Subject<readonly Suggestion[]>()
    const { actions, frame, type } = composed(() => found$)
    await type(['/n', `${esc}[27u`], () => actions, ['abort'])
    found$.next([{ label: 'new', value: '/new ' }])
    await type([], () => frame().length, 3)
    await type([`${esc}[27u`], frame, ['above', '› /n'])
    await type([`${esc}[27u`], () => actions, ['abort', 'abort'])
  })

  it('completes a path after an @ at the start of a word', async () => {
    const { frame, type } = composed()
    await type(['a@b see @src'], frame, ['above', '› a@b see @src', '❯ src/found.ts'])
    await type(['\t', 'x'], frame, ['above', '› a@b see @src/found.ts x'])
  })

  it('inserts the first suggestion if Tab comes before it', async () => {
    const { frame, type } = composed()
    await type(['see @src\t'], frame, ['above', '› see @src/found.ts'])
  })

  it('inserts the first of suggestions that come after Tab, unless the text has changed', async () => {
    const later = composed((query) => timer(50).pipe(mergeMap(() => suggestions(query))))
    await later.type(['see @src\t'], later.frame, ['above', '› see @src/found.ts'])
    await later.type(['/n\t', 'a'], later.frame, ['above', '› see @src/found.ts /na'])
    await later.type([' @a\t', 'b'], later.frame, ['above', '› see @src/found.ts /na @ab', '❯ ab/found.ts'])
  })

  it('inserts nothing at a Tab without suggestions', async () => {
    const { frame, type } = composed()
    await type(['/n', 'o\ta'], frame, ['above', '› /noa'])
  })
})
