// Text with a role's look; what it is given must be safe for a terminal already.
import { Text } from 'ink'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import type { Role } from './theme.ts'

export interface StyledProps {
  readonly role: Role
  readonly children: string
  /** What happens to a line that is too long. Default `truncate`. */
  readonly wrap?: 'wrap' | 'truncate'
}

export function Styled({ role, children, wrap = 'truncate' }: StyledProps): ReactElement {
  return <Text wrap={wrap}>{useTheme().paint(role, children)}</Text>
}
