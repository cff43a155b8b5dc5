// Defines a theme of pi's form without colours: clients get plain text.

const same = (text: string): string => text
const second = (_color: string, text: string): string => text

/** `theme` of pi's contexts: each method returns the text as it is. */
export const plainTheme = {
  name: 'rxpi',
  fg: second,
  bg: second,
  bold: same,
  italic: same,
  underline: same,
  inverse: same,
  strikethrough: same,
  dim: same,
  getFgAnsi: () => '',
  getBgAnsi: () => '',
  getColorMode: () => 'truecolor' as const,
  getThinkingBorderColor: () => same,
  getBashModeBorderColor: () => same,
}
