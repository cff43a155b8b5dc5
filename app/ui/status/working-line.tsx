// Draws one animated line while a run is active: elapsed time, state, and how to stop it.
import { Text, useAnimation, useIsScreenReaderEnabled } from 'ink'
import type { ReactElement } from 'react'
import { useBehavior } from '../hooks/use-behavior.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { useUi } from '../hooks/use-ui.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { duration } from '../text/duration.ts'
import { span } from '../text/span.ts'
import type { View } from '../view/view.ts'

export interface WorkingLineProps {
  readonly view: View
  /** Cells. */
  readonly columns: number
}

const pictures = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']

/** Four times a second, to cost little. */
const interval = 250

export function WorkingLine({ view, columns }: WorkingLineProps): ReactElement | null {
  const { running, retry } = view
  const isRead = useIsScreenReaderEnabled() // a screen reader would read a moving line again and again
  const { frame } = useAnimation({ interval, isActive: running !== undefined && !isRead })
  const { paint } = useTheme()
  const newest = useBehavior(useUi().view$, (older, newer) => describeActivity(older) === describeActivity(newer))
  if (running === undefined) return null
  const picture = pictures[frame % pictures.length] ?? ''
  const now = Date.now()
  const since =
    running.since === 0 || isRead ? '' : ` ${duration(Math.floor(Math.max(0, now - running.since) / 1_000) * 1_000)}`
  const words = retry === undefined ? describeActivity(newest) : retryWords(retry, now)
  const text = cutToWidth(`${words}${since} · Esc stops`, columns - 2)
  return <Text>{`${paint('accent', picture)} ${paint(retry === undefined ? 'dim' : 'warning', text)}`}</Text>
}

function describeActivity({ live, requests }: View): string {
  if (requests.length > 0) return 'Waiting for your answer'
  const running = live.filter((item) => item.kind === 'tool' && item.state === 'running').length
  if (running > 0) return running === 1 ? 'A tool runs' : `${running} tools run`
  const last = live.at(-1)
  if (last?.kind === 'thinking') return 'Thinking'
  return last?.kind === 'text' ? 'Answering' : 'Waiting for the model'
}

function retryWords({ attempt, at, reason }: NonNullable<View['retry']>, now: number): string {
  const seconds = Math.max(0, Math.ceil((at - now) / 1_000))
  return span(`Retrying (attempt ${attempt}) in ${seconds} s: ${reason}`).text
}
