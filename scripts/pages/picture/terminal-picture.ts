// Draws a terminal's text with colours (the output of `tmux capture-pane -e`) as an SVG picture.
import { cell, colours, drawnLine, fonts, margin } from './drawn-line.ts'
import { styledLines } from './styled-lines.ts'

/** @param widthOf returns the number of cells of a text */
export function terminalPicture(painted: string, widthOf: (text: string) => number): string {
  const lines = styledLines(painted.replace(/\s+$/, ''), widthOf)
  const columns = Math.max(...lines.map((runs) => Math.max(0, ...runs.map(({ at, text }) => at + widthOf(text)))))
  const [width, height] = [columns * cell.width + 2 * margin, lines.length * cell.height + 2 * margin]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height.toFixed(0)}" ${fonts} fill="${colours.text}" role="img">`,
    `<rect width="100%" height="100%" rx="8" fill="${colours.back}"/>`,
    ...lines.map((runs, row) => drawnLine(runs, margin + row * cell.height + cell.baseline, widthOf)),
    '</svg>\n',
  ]
    .filter((line) => line !== '')
    .join('\n')
}
