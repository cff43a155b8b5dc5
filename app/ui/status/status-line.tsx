// Draws the status line: model, folder, branch, context, queue and connection.
import { Text } from 'ink'
import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import type { View } from '../view/view.ts'
import { gitBranch } from './git-branch.ts'
import { statusParts } from './status-parts.ts'

export interface StatusLineProps {
  readonly view: View
  /** Cells. */
  readonly columns: number
}

export function StatusLine({ view, columns }: StatusLineProps): ReactElement {
  const { paint } = useTheme()
  const branch = useBranch(view)
  const parts = statusParts(view, branch, columns - 2)
  const line = parts.map(({ text, role }) => paint(role, text)).join(paint('dim', ' · '))
  return <Text wrap="truncate">{`  ${line}`}</Text>
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
