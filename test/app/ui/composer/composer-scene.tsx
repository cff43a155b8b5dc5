// Renders a composer in a test terminal and records the effects of typed keys.
import { stripVTControlCharacters } from 'node:util'
import { Box, Text } from 'ink'
import { render } from '../../../support/ink-screen.ts'
import { of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReactElement } from 'react'
import { expect } from 'vitest'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { useKeys } from '../../../../app/ui/keys/use-keys.ts'
import { commandsFor } from '../../../../app/ui/completion/find-suggestions.ts'
import type { CompletionQuery, FindSuggestions, Suggestion } from '../../../../app/ui/completion/completion.ts'
import { Composer } from '../../../../app/ui/composer/composer.tsx'
import type { ComposerProps } from '../../../../app/ui/composer/composer.tsx'
import type { HistoryEntry } from '../../../../app/ui/editor/prompt-history.ts'
import { unitsOf, textOfUnits } from '../../../../app/ui/editor/unit.ts'
import type { QueuedText } from '../../../../app/ui/composer/use-queue-editing.ts'

export const esc = '\u001b'

const commands = [
  { name: 'help', description: 'commands and keys', run: () => undefined },
  { name: 'model', argument: '[name]', description: 'choose the model', run: () => undefined },
  { name: 'name', aliases: ['rename'], description: 'name the session', run: () => undefined },
]

export function suggestions({ kind, query }: CompletionQuery): Observable<readonly Suggestion[]> {
  return of(
    kind === 'command' ? commandsFor(commands, query) : [{ label: `${query}/found.ts`, value: `@${query}/found.ts ` }],
  )
}

export const queued = (queueId: string, text: string) => ({ queueId, units: unitsOf(text) })

interface Options {
  readonly queued?: QueuedText
  readonly drafts?: ComposerProps['drafts']
  readonly isActive?: boolean
  readonly refuse?: boolean
  readonly isRunning?: boolean
  readonly isStopping?: boolean
  readonly hasRules?: boolean
  readonly listRows?: number
}

/** A component that takes the keys. */
function Overlay(): ReactElement {
  useKeys(() => undefined, true)
  return <></>
}

export function composed(find: FindSuggestions = suggestions) {
  const sent: string[] = []
  const actions: string[] = []
  let history: readonly HistoryEntry[] = [['earlier']]
  const tree = ({
    drafts = [],
    isActive = true,
    refuse = false,
    isRunning = false,
    isStopping = false,
    hasRules = false,
    listRows = 10,
    queued,
  }: Options = {}): ReactElement => (
    <Keyboard>
      <Box flexDirection="column">
        <Text>above</Text>
        {!isActive && <Overlay />}
        <Composer
          drafts={drafts}
          onDraftsTaken={() => undefined}
          isActive={isActive}
          columns={40}
          rows={4}
          listRows={listRows}
          hasRules={hasRules}
          isRunning={isRunning}
          isStopping={isStopping}
          placeholder="/ for commands, @ for files, ! for shell commands"
          history={{ entries: () => history, add: (entry) => (history = [...history, entry]) }}
          readPaste={(text) => [{ type: 'paste', text }]}
          findSuggestions={find}
          onSend={(units, how) => {
            if (refuse) return false
            sent.push(`${how}: ${textOfUnits(units)}`)
            return true
          }}
          onExternalEditor={() => actions.push('outside')}
          onAction={(action) => actions.push(action)}
          queued={queued}
          onQueued={(units) => {
            if (!refuse)
              actions.push(units === undefined ? 'as it was' : `is now ${JSON.stringify(textOfUnits(units))}`)
            return !refuse
          }}
        />
      </Box>
    </Keyboard>
  )
  const { stdin, lastFrame, rerender } = render(tree())
  const frame = () =>
    stripVTControlCharacters(lastFrame() ?? '')
      .split('\n')
      .map((line) => line.trimEnd())
  return {
    sent,
    actions,
    frame,
    show: (options: Options) => {
      rerender(tree(options))
    },
    /**
     * Types pieces, each as one read of the terminal, and waits for the expected state. A list is one sequence in
     * several reads, written without a pause: Ink takes the start of a sequence for keys if nothing follows within 20
     * ms.
     */
    type: async (pieces: readonly (string | readonly string[])[], received: () => unknown, expected: unknown) => {
      await new Promise((resolve) => setImmediate(resolve))
      for (const piece of pieces) {
        for (const read of [piece].flat()) stdin.write(read)
        await new Promise((resolve) => setImmediate(resolve)) // effects of one press run before the next press
      }
      await expect.poll(received, { timeout: 10_000 }).toEqual(expected)
    },
  }
}
