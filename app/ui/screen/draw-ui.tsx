// Draws the UI with Ink while subscribed; unsubscribing restores the terminal.
import { render } from 'ink'
import { Observable } from 'rxjs'
import { focusInput } from '../terminal/focus-input.ts'
import { inTerminalModes } from '../terminal/terminal-modes.ts'
import { App } from './app.tsx'
import { ThemeContext } from '../hooks/use-theme.ts'
import { UiContext } from '../hooks/use-ui.ts'
import type { Theme } from '../theme/theme.ts'
import type { Ui } from '../contract/ui.ts'

/** Never emits; completes when Ink ends by itself, fails if drawing fails. */
export function drawUi(ui: Ui, theme: Theme): Observable<never> {
  return inTerminalModes(drawing(ui, theme), process)
}

function drawing(ui: Ui, theme: Theme): Observable<never> {
  return new Observable((subscriber) => {
    ui.keys.load((problem) => {
      ui.input({ type: 'notice', level: 'warning', text: problem })
    })
    const stdin = focusInput(process.stdin, (isFocused) => {
      ui.input({ type: 'focus', isFocused })
    })
    const drawn = render(
      <UiContext value={ui}>
        <ThemeContext value={theme}>
          <App />
        </ThemeContext>
      </UiContext>,
      {
        stdin,
        exitOnCtrlC: false,
        patchConsole: false,
        interactive: true,
        maxFps: 60,
        incrementalRendering: true,
        // under the kitty protocol, Shift-Enter and Ctrl-Enter are separate keys
        kittyKeyboard: { mode: 'auto', flags: ['disambiguateEscapeCodes'] },
      },
    )
    drawn.waitUntilExit().then(
      () => {
        subscriber.complete()
      },
      (error: unknown) => {
        subscriber.error(error)
      },
    )
    return () => {
      drawn.unmount()
    }
  })
}
