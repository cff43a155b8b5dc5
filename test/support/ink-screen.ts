// Renders a component as ink-testing-library does, on a screen of 100 by 24 cells.
import { cleanup, render } from 'ink-testing-library'
import { createElement } from 'react'

// Its output has no rows, for which Ink would start two processes with each frame: half of the time of the UI's tests.
const { stdout, unmount } = render(createElement('ink-box'))
unmount()
Object.defineProperty(Object.getPrototypeOf(stdout), 'rows', { value: 24 })

export { cleanup, render }
