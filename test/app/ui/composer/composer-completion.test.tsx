// Tests completion in the composer.
import { cleanup } from 'ink-testing-library'
import { afterEach, describe, expect, it } from 'vitest'
import { esc, composed } from './composer-scene.tsx'

afterEach(cleanup)

describe('the list of completions', () => {
  it('takes nothing that was found for what stood there a moment ago', async () => {
    const { sent, type } = composed()
    await type(['/n', 'ew\r'], () => sent, ['steer: /new'])
  })

  it('shows commands with what they do, and takes the chosen one', async () => {
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

  it('moves as often as a held key comes in one piece, and takes what it came to', async () => {
    const { frame, type } = composed()
    await type(['/'], () => frame().length, 5)
    await type([`${esc}[B${esc}[B\t`], frame, ['above', '› /name'])
  })

  it('sends a command that is written out', async () => {
    const { frame, sent, type } = composed()
    await type(['/help'], frame, ['above', '› /help', '❯ /help  commands and keys'])
    await type(['\r'], () => sent, ['steer: /help'])
  })

  it('takes an alias by its letters', async () => {
    const { frame, type } = composed()
    await type(['/ren'], frame, ['above', '› /ren', '❯ /rename  name the session'])
    await type(['\r'], frame, ['above', '› /rename'])
  })

  it('closes with Esc until something else is written, and Esc aborts nothing then', async () => {
    const { actions, frame, type } = composed()
    await type(['/'], () => frame().length, 5)
    await type([esc], frame, ['above', '› /'])
    await type(['n'], () => frame()[2], '❯ /name  name the session')
    expect(actions).toEqual([])
  })

  it('completes a path where an @ begins a word', async () => {
    const { frame, type } = composed()
    await type(['a@b see @src'], frame, ['above', '› a@b see @src', '❯ src/found.ts'])
    await type(['\t', 'x'], frame, ['above', '› a@b see @src/found.ts x'])
  })
})
