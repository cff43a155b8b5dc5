// A list to choose from: filters by typed text, moves by keys, draws only visible rows.
import { Box, Text } from 'ink'
import { useMemo } from 'react'
import type { ReactElement } from 'react'
import { useLatest } from '../hooks/use-latest.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { useTypingCursor } from '../hooks/use-typing-cursor.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { useListKeys } from '../keys/use-keys.ts'
import { cellWidth, cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import { editLine } from '../text/line-input.ts'
import type { Theme } from '../theme/theme.ts'
import { matchingRows, moveChoice, windowOf } from './list-state.ts'
import type { PickerRow } from './list-state.ts'

export interface PickerProps {
  readonly title: string
  readonly rows: readonly PickerRow[]
  /** Cells. */
  readonly columns: number
  /** Maximum of lines, with head and foot. */
  readonly height: number
  /** Key of the row that is chosen at first. Default: the first row. */
  readonly initial?: string
  /** Initial filter. Default: none. */
  readonly query?: string
  /** See `matchingRows`. */
  readonly keepsOrder?: boolean
  /** Further keys, for the foot. */
  readonly foot?: string
  /** Shown if there are no rows. */
  readonly empty: string
  readonly onAccept: (row: PickerRow) => void
  readonly onCancel: () => void
  /** Further keys, by name. */
  readonly keys?: Readonly<Record<string, (row: PickerRow) => void>> | undefined
  /** Tab. Default: as Enter. */
  readonly onComplete?: ((row: PickerRow | undefined) => void) | undefined
}

interface Choice {
  readonly query: string
  /** Key of a row; undefined: the first. */
  readonly chosen: string | undefined
}

export function Picker(props: PickerProps): ReactElement {
  const { rows, columns, title, empty, foot, keepsOrder = false } = props
  const theme = useTheme()
  const choice = useLatest<Choice>({ query: props.query ?? '', chosen: props.initial })
  const { query } = choice.drawn
  const matching = useMemo(() => matchingRows(rows, query, { keepsOrder }), [rows, query, keepsOrder])
  const selected = indexOfChoice(choice.drawn, matching)
  const listed = Math.max(1, props.height - 3)
  const row = matching[selected]
  useListKeys((action, press) => {
    const now = choice.now()
    const found = now.query === query ? matching : matchingRows(rows, now.query, { keepsOrder })
    const at = indexOfChoice(now, found)
    const under = found[at]
    if (runOwnKey(props.keys, press, under)) return
    if (action === 'listCancel') {
      if (now.query === '') props.onCancel()
      else choice.put({ ...now, query: '' })
    } else if (action === 'listAccept' || (action === 'listComplete' && props.onComplete === undefined)) {
      if (under !== undefined) props.onAccept(under)
    } else if (action === 'listComplete') props.onComplete?.(under)
    else if (action !== undefined)
      choice.put({ ...now, chosen: found[moveChoice(at, action, found.length, listed)]?.key })
    else {
      const line = editLine(now.query, press)
      if (line !== undefined && line !== now.query) choice.put({ query: line, chosen: undefined })
    }
  }, true)
  const { from, to } = windowOf(matching.length, selected, listed)
  return (
    <Box flexDirection="column" width={columns}>
      <Head text={headText(title, query, matching.length, rows.length)} columns={columns} />
      {matching.length === 0 && (
        <Text wrap="truncate">{theme.paint('dim', rows.length === 0 ? empty : 'No row matches the filter')}</Text>
      )}
      {matching.slice(from, to).map((each) => (
        <Text key={each.key} wrap="truncate">
          {rowText(each, each === row, columns, theme)}
        </Text>
      ))}
      <Text wrap="truncate">
        {theme.paint(
          'dim',
          cutToWidth(footText({ foot, isFiltered: query !== '', from, to, count: matching.length }), columns),
        )}
      </Text>
    </Box>
  )
}

function headText(title: string, query: string, found: number, all: number): string {
  return query === '' ? `${title} (${all})` : `${title} (${found}/${all}): ${span(query).text}`
}

/** True if the press is one of the picker's further keys. */
function runOwnKey(keys: PickerProps['keys'], press: KeyPress, row: PickerRow | undefined): boolean {
  const own = press.kind === 'key' ? keys?.[press.name] : undefined
  if (own !== undefined && row !== undefined) own(row)
  return own !== undefined
}

/** The filter is typed at the end of the head. */
function Head({ text, columns }: { readonly text: string; readonly columns: number }): ReactElement {
  const { paint } = useTheme()
  const box = useTypingCursor({ x: Math.min(cellWidth(text), columns - 1), y: 0 })
  return (
    <Box ref={box}>
      <Text wrap="truncate">{paint('heading', cutToWidth(text, columns))}</Text>
    </Box>
  )
}

function indexOfChoice({ chosen }: Choice, rows: readonly PickerRow[]): number {
  const index = rows.findIndex(({ key }) => key === chosen)
  return Math.max(0, index)
}

interface Foot {
  readonly foot: string | undefined
  readonly isFiltered: boolean
  readonly from: number
  readonly to: number
  readonly count: number
}

function footText({ foot, isFiltered, from, to, count }: Foot): string {
  const position = to - from < count ? `${from + 1}–${to} of ${count} · ` : ''
  return `${position}type to filter · Enter selects · ${foot === undefined ? '' : `${foot} · `}Esc ${isFiltered ? 'shows all' : 'closes'}`
}

function rowText(
  { label, hint, mark = '', isAside = false }: PickerRow,
  isChosen: boolean,
  columns: number,
  theme: Theme,
) {
  const pointer = isChosen ? '›' : ' '
  const front = `${pointer} ${mark === '' ? '' : `${span(mark).text} `}`
  const text = cutToWidth(front + span(label).text, columns)
  const room = columns - cellWidth(text) - 2
  const behind = hint === undefined || room < 4 ? '' : `  ${cutToWidth(span(hint).text, room)}`
  const painted = isChosen ? theme.paint('selected', text) : isAside ? theme.paint('dim', text) : text
  return painted + theme.paint('dim', behind)
}
