// Tests that focus reports are off while another program has the terminal, and on again afterwards.
import { expect, it } from 'vitest'
import { lendTerminal } from '../../../../app/ui/terminal/terminal-modes.ts'

it.each(['ends', 'fails'])(
  'switches focus reports off while another program has the terminal, until it %s',
  async (how) => {
    const written: string[] = []
    const lent = lendTerminal({ write: (text) => written.push(text) }, () => {
      written.push('theirs')
      return how === 'ends' ? Promise.resolve() : Promise.reject(new Error('no editor'))
    })
    if (how === 'ends') await lent
    else await expect(lent).rejects.toThrow('no editor')
    expect(written).toEqual(['\u001b[?1004l', 'theirs', '\u001b[?1004h'])
  },
)
