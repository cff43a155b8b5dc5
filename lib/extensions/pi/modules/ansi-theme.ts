// Defines the theme that components of pi draw with: the terminal's own colours.
import { plainTheme } from './plain-theme.ts'

const colours: Readonly<Record<string, number>> = {
  accent: 36,
  border: 90,
  borderAccent: 36,
  borderMuted: 90,
  success: 32,
  error: 31,
  warning: 33,
  muted: 90,
  dim: 90,
  thinkingText: 90,
  mdHeading: 33,
  mdLink: 34,
  mdCode: 36,
  mdQuote: 90,
  mdHr: 90,
  toolDiffAdded: 32,
  toolDiffRemoved: 31,
  toolDiffContext: 90,
  bashMode: 32,
}
const backgrounds: Readonly<Record<string, number>> = { selectedBg: 100, searchMatchBg: 43 }

const style = (from: number, to: number) => (text: string) => `\u001b[${from}m${text}\u001b[${to}m`

function fg(colour: string, text: string): string {
  const code = colours[colour]
  return code === undefined ? text : style(code, 39)(text)
}

/** `theme` of component factories; a colour that it lacks is the usual one of the terminal. */
export const ansiTheme = {
  ...plainTheme,
  fg,
  bg: (colour: string, text: string) => {
    const code = backgrounds[colour]
    return code === undefined ? text : style(code, 49)(text)
  },
  bold: style(1, 22),
  dim: style(2, 22),
  italic: style(3, 23),
  underline: style(4, 24),
  inverse: style(7, 27),
  strikethrough: style(9, 29),
  getFgAnsi: (colour: string) => `\u001b[${colours[colour] ?? 39}m`,
  getBgAnsi: (colour: string) => `\u001b[${backgrounds[colour] ?? 49}m`,
  getThinkingBorderColor: () => (text: string) => fg('border', text),
  getBashModeBorderColor: () => (text: string) => fg('bashMode', text),
}

/** The theme of editors. */
export const editorTheme = {
  borderColor: (text: string) => fg('border', text),
  selectList: {
    selectedPrefix: (text: string) => fg('accent', text),
    selectedText: (text: string) => fg('accent', text),
    description: (text: string) => fg('muted', text),
    scrollInfo: (text: string) => fg('muted', text),
    noMatch: (text: string) => fg('muted', text),
  },
}
