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
import { matchingRows, moveChoice, windowOf } from './list-state.ts'
import type { PickerRow } from './list-state.ts'
import { columnWidths, rowText } from './row-text.ts'

/** Texts may be untrusted; drawing escapes them. */
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
  /** Shown instead of the foot. */
  readonly warning?: string
  /** Shown if there are no rows. */
  readonly empty: string
  readonly onAccept: (row: PickerRow) => void
  readonly onCancel: () => void
  /** Further keys, by name. */
  readonly keys?: Readonly<Record<string, (row: PickerRow) => void>> | undefined
  /** Called before each key that is not in `keys`. */
  readonly onOtherKey?: () => void
  /** Ctrl-F, and Enter if no row matches: searches for the typed text, which is not blank. */
  readonly onSearch?: ((query: string) => void) | undefined
  /** Tab. Default: as Enter. */
  readonly onComplete?: ((row: PickerRow | undefined) => void) | undefined
}

interface Choice {
  readonly query: string
  /** Key of a row; undefined: the first. */
  readonly chosen: string | undefined
  /** Index of the row, chosen instead if the row is gone. Default 0. */
  readonly index?: number
}

export function Picker(props: PickerProps): ReactElement {
  const { rows, columns, title, empty, foot, warning, keepsOrder = false } = props
  const theme = useTheme()
  const choice = useLatest<Choice>({ query: props.query ?? '', chosen: props.initial })
  const { query } = choice.drawn
  const matching = useMemo(() => matchingRows(rows, query, { keepsOrder }), [rows, query, keepsOrder])
  const widths = useMemo(() => columnWidths(rows, columns), [rows, columns])
  const selected = indexOfChoice(choice.drawn, matching)
  const listed = Math.max(1, props.height - 3)
  const row = matching[selected]
  useListKeys((action, press) => {
    const now = choice.now()
    const found = now.query === query ? matching : matchingRows(rows, now.query, { keepsOrder })
    const at = indexOfChoice(now, found)
    const under = found[at]
    if (runOwnKey(props.keys, press, under)) return
    props.onOtherKey?.()
    const isSearch = press.kind === 'key' && press.name === 'ctrl+f'
    if (isSearch || (action === 'listAccept' && under === undefined)) {
      if (now.query.trim() !== '') props.onSearch?.(now.query.trim())
    } else if (action === 'listCancel') {
      if (now.query === '') props.onCancel()
      else choice.put({ ...now, query: '' })
    } else if (action === 'listAccept' || (action === 'listComplete' && props.onComplete === undefined)) {
      if (under !== undefined) props.onAccept(under)
    } else if (action === 'listComplete') props.onComplete?.(under)
    else if (action !== undefined) {
      const index = moveChoice(at, action, found.length, listed)
      choice.put({ ...now, chosen: found[index]?.key, index })
    } else {
      const line = editLine(now.query, press)
      if (line !== undefined && line !== now.query) choice.put({ query: line, chosen: undefined })
    }
  }, true)
  const { from, to } = windowOf(matching.length, selected, listed)
  return (
    <Box flexDirection="column" width={columns}>
      <Head text={headText(title, query, matching.length, rows.length)} columns={columns} />
      {matching.length === 0 && <Empty text={rows.length === 0 ? empty : noMatch(props.onSearch !== undefined)} />}
      {matching.slice(from, to).map((each) => (
        <Text key={each.key} wrap="truncate">
          {rowText(each, { isChosen: each === row, columns, widths, theme })}
        </Text>
      ))}
      <Foot {...{ foot, warning, columns, isFiltered: query !== '', from, to, count: matching.length }} />
    </Box>
  )
}

function Empty({ text }: { readonly text: string }): ReactElement {
  return <Text wrap="truncate">{useTheme().paint('dim', span(text).text)}</Text>
}

function noMatch(canSearch: boolean): string {
  return `No row matches the filter${canSearch ? '; Enter searches all messages' : ''}`
}

function headText(title: string, query: string, found: number, all: number): string {
  return span(query === '' ? `${title} (${all})` : `${title} (${found}/${all}): ${query}`).text
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

function indexOfChoice({ chosen, index = 0 }: Choice, rows: readonly PickerRow[]): number {
  const found = rows.findIndex(({ key }) => key === chosen)
  return found === -1 ? Math.max(0, Math.min(index, rows.length - 1)) : found
}

interface FootProps extends FootText {
  readonly warning: string | undefined
  readonly columns: number
}

function Foot({ warning, columns, ...text }: FootProps): ReactElement {
  const { paint } = useTheme()
  const line = warning === undefined ? footText(text, columns) : cutToWidth(span(warning).text, columns)
  return <Text wrap="truncate">{paint(warning === undefined ? 'dim' : 'warning', line)}</Text>
}

interface FootText {
  readonly foot: string | undefined
  readonly isFiltered: boolean
  readonly from: number
  readonly to: number
  readonly count: number
}

/** The keys that fit; those of this list and Esc stay longest. */
function footText({ foot, isFiltered, from, to, count }: FootText, columns: number): string {
  const position = to - from < count ? [`${from + 1}–${to} of ${count}`] : []
  const own = foot === undefined ? [] : span(foot).text.split(' · ')
  const end = `Esc ${isFiltered ? 'shows all' : 'closes'}`
  const enter = own[0]?.startsWith('Enter ') === true ? [] : ['Enter selects']
  const texts = [
    [...position, 'type to filter', ...enter, ...own, end],
    [...position, ...enter, ...own, end],
    [...enter, ...own, end],
    ...own.map((_, dropped) => [...own.slice(0, own.length - dropped), end]),
  ].map((parts) => parts.join(' · '))
  return texts.find((text) => cellWidth(text) <= columns) ?? cutToWidth(end, columns)
}
