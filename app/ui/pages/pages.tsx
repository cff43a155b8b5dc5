// Selects the open page that replaces the editor: help, a sign-in or a text.
import type { ReactElement } from 'react'
import { offeredCommands } from '../commands/slash-commands.ts'
import { useUi } from '../hooks/use-ui.ts'
import { useKeymap } from '../keys/use-keys.ts'
import type { View } from '../view/view.ts'
import { AccountScreen } from './account-screen.tsx'
import { helpLines } from './help-lines.ts'
import { LoginScreen } from './login-screen.tsx'
import { JobPage } from './job-page.tsx'
import { OutputPage } from './output-page.tsx'
import { planHead, planPage } from '../panels/plan-lines.ts'
import { Page } from './page.tsx'

export interface PagesProps {
  readonly view: View
  /** Cells. */
  readonly columns: number
  /** Maximum of rows of a page. */
  readonly height: number
}

export function Pages({ view, columns, height }: PagesProps): ReactElement | null {
  const ui = useUi()
  const keymap = useKeymap()
  const { overlay } = view
  const size = {
    columns,
    height,
    onClose: () => {
      ui.input({ type: 'overlay' })
    },
  }
  switch (overlay?.name) {
    case 'help':
      return (
        <Page
          title="Help"
          lines={helpLines({ commands: offeredCommands(view), keymap, columns: columns - 1 })}
          {...size}
        />
      )
    case 'page':
      return <Page title={overlay.title} lines={overlay.lines} {...size} />
    case 'plan':
      return <Page title={planHead(view.plan)} lines={planPage(view.plan)} {...size} />
    case 'output':
      return <OutputPage {...size} />
    case 'job':
      return <JobPage session={view.session?.id ?? ''} jobId={overlay.jobId} {...size} />
    case 'login':
      return <LoginScreen provider={overlay.provider} {...size} />
    case 'server_login':
      return <AccountScreen login={overlay} {...size} />
    default:
      return null
  }
}

const pages: ReadonlySet<string> = new Set(['help', 'page', 'plan', 'output', 'job', 'login', 'server_login'])

/** True if the overlay is a page. */
export function isPage(overlay: View['overlay']): boolean {
  return overlay !== undefined && pages.has(overlay.name)
}
