// Tests a long session in the terminal UI: 200 questions, 2,000 with RXPI_FULL.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { walk } from '../first-hour/walk.ts'
import { sampleSize } from '../support/sample-size.ts'
import { hasTmux, terminal } from '../support/tmux.ts'
import { longConversation } from './long-conversation.ts'
import { weekModel } from './week-model.ts'

const turns = sampleSize(200, 2_000)

it.skipIf(!hasTmux)(
  'a long session is opened at its end, searched, changed, undone, summarised and continued',
  { timeout: 120_000 },
  async () => {
    await using own = await walk({ says: weekModel })
    own.place.configure('settings.json', { model: 'demo/guide' })
    own.place.write('long.jsonl', longConversation(turns, own.place.folder))
    const imported = await own.place.run(['sessions', 'import', 'long.jsonl'])
    expect(imported.stdout).toContain(`Imported ${turns * 4} messages of a session of pi`)

    using ui = terminal(own.place, ['-c', '--model', 'demo/guide'], { columns: 100, rows: 40, env: own.env })
    await ui.shows(`Answer ${turns}: it adds ${turns}.`)
    await ui.shows('demo/guide ·')
    expect(ui.all()).toContain('· Earlier messages are in /tree')
    expect(ui.all()).not.toContain('Question 17:')

    await ui.say('/tree')
    await ui.shows(`Tree (${turns * 4})`)
    ui.press('-l', 'Question 17: ')
    await ui.shows('› ● you: Question 17: what does part 17 do?')
    ui.press('Enter')
    await ui.shows('Read it whole')
    ui.press('-l', 'Read it')
    await ui.shows('› Read it whole')
    await ui.loses('Pin it')
    ui.press('Enter')
    await ui.shows(/^you · \w+\nQuestion 17: what does part 17 do\?\n+Esc closes/m)
    ui.press('Escape')
    await ui.loses('Esc closes')

    const file = join(own.place.folder, 'notes.txt')
    await ui.say('write notes.txt: hello')
    await ui.shows('1 file +1')
    await ui.loses('Esc stop')
    expect(existsSync(file)).toBe(true)
    await ui.say('/undo')
    await ui.shows('Undone: removed notes.txt')
    expect(existsSync(file)).toBe(false)

    await ui.say('/compact')
    await ui.shows(/── \d{3,} messages were summarised/)
    await ui.say('read sum.js')
    await ui.shows('✓ read sum.js')
    await ui.loses('Esc stop')

    await ui.say('/tree')
    await ui.shows(/Tree \(/)
    ui.press('-l', `Question ${turns}: `)
    await ui.shows(`› ● you: Question ${turns}: what does part ${turns} do?`)
    ui.press('Escape')
    await ui.shows('type to filter')
    ui.press('Escape')
    await ui.loses('type to filter')
    ui.press('C-d')
    await ui.shows('ended 0')

    const verified = await own.place.run(['sessions', 'verify', sessionOf(imported.stdout)])
    expect(verified.stdout).toContain('is clean: ')
    const shown = await own.place.run(['sessions', 'tree', sessionOf(imported.stdout)])
    for (let turn = 1; turn <= turns; turn += 1) expect(shown.stdout).toContain(`Question ${turn}: `)
  },
)

const sessionOf = (text: string): string => /as session (\w+)/.exec(text)?.[1] ?? ''
