// The choices of a question, one a line, the chosen one with a pointer.
import { Text } from 'ink'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import { windowOf } from '../pickers/picker-state.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Choice } from './choices.ts'

/** Lines that they take at most. */
export const mostChoices = 8

export interface ChoiceRowsProps {
  readonly choices: readonly Choice[]
  readonly selected: number
  readonly columns: number
}

export function ChoiceRows({ choices, selected, columns }: ChoiceRowsProps): ReactElement {
  const theme = useTheme()
  const { from, to } = windowOf(choices.length, selected, mostChoices)
  return (
    <>
      {choices.slice(from, to).map(({ label, letter }, index) => {
        const isChosen = from + index === selected
        const key = letter === undefined ? '' : ` (${letter})`
        const text = cutToWidth(`${isChosen ? '›' : ' '} ${span(label).text}${key}`, columns)
        return (
          <Text key={from + index} wrap="truncate">
            {isChosen ? theme.paint('selected', text) : text}
          </Text>
        )
      })}
    </>
  )
}
