// Draws the status row: the active run with its keys, then model, folder, context, queue, connection.
import { Text, useAnimation, useIsScreenReaderEnabled } from 'ink'
import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { gitBranch } from '../../../lib/server/launch/app-files.ts'
import { useBehavior } from '../hooks/use-behavior.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { useUi } from '../hooks/use-ui.ts'
import { useKeymap } from '../keys/use-keys.ts'
import type { View } from '../view/view.ts'
import { describeActivity, runParts, toolSince } from './run-parts.ts'
import { statusParts } from './status-parts.ts'

export interface StatusRowProps {
  readonly view: View
  /** Cells. */
  readonly columns: number
}

/** The row of a run is drawn once a second, and when its state changes. */
const interval = 1_000

export function StatusRow({ view, columns }: StatusRowProps): ReactElement {
  const { paint } = useTheme()
  const keymap = useKeymap()
  const branch = useBranch(view)
  const isRead = useIsScreenReaderEnabled() // a screen reader would read a moving row again and again
  const isRunning = view.running !== undefined || view.compacting !== undefined
  useAnimation({ interval, isActive: isRunning && !isRead })
  const newest = useBehavior(useUi().view$, hasSameActivity)
  const front = runParts(
    { ...view, live: newest.live },
    describeActivity(newest),
    keymap,
    isRead ? undefined : Date.now(),
  )
  const parts = statusParts(view, branch, isRunning ? columns : columns - 2, front)
  const line = parts.map(({ text, role }) => paint(role, text)).join(paint('dim', ' · '))
  return <Text wrap="truncate">{`${isRunning ? '' : '  '}${line}`}</Text>
}

function hasSameActivity(older: View, newer: View): boolean {
  return describeActivity(older) === describeActivity(newer) && toolSince(older) === toolSince(newer)
}

/** Read again after each change of the view: the agent or the user may have switched the branch. */
function useBranch(view: View): string | undefined {
  const folder = view.session?.cwd
  const [branch, setBranch] = useState<string | undefined>(undefined)
  useEffect(() => {
    setBranch(folder === undefined ? undefined : gitBranch(folder))
  }, [folder, view])
  return branch
}
