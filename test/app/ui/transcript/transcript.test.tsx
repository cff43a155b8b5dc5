import { render } from 'ink-testing-library'
import { describe, expect, it, vi } from 'vitest'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { Finished } from '../../../../app/ui/transcript/transcript.tsx'
import type { ViewItem } from '../../../../app/ui/view/view-item.ts'

const options = { columns: 40, theme: createTheme('dark', 'plain'), showsThinking: false, isExpanded: false }
const items = Array.from({ length: 1_000 }, (_, index): ViewItem => ({
  kind: 'notice',
  id: String(index),
  level: 'info',
  text: `item ${index}.`,
}))

/** A batch stands in frames of its own: what all of them hold, in order. */
function itemsIn({ frames }: { readonly frames: readonly string[] }): string[] {
  return [...new Set(frames.flatMap((frame) => frame.match(/item \d+\./g) ?? []))]
}

describe('what is finished', () => {
  it('is written once and in order, however much comes at once', async () => {
    const drawn = render(<Finished items={items} count={1} options={options} />)
    drawn.rerender(<Finished items={items} count={300} options={options} />)
    await vi.waitFor(() => expect(itemsIn(drawn)).toContain('item 299.'), 10_000)
    drawn.rerender(<Finished items={items} count={301} options={options} />)
    await vi.waitFor(() => expect(itemsIn(drawn)).toContain('item 300.'), 10_000)
    expect(itemsIn(drawn)).toEqual(items.slice(0, 301).map((_, index) => `item ${index}.`))
    drawn.unmount()
  })

  it('is written from its end where the screen was erased', async () => {
    const drawn = render(<Finished items={items} count={1_000} options={options} />)
    await vi.waitFor(() => expect(itemsIn(drawn)).toContain('item 999.'), 10_000)
    expect(itemsIn(drawn)[0]).toBe('item 600.')
    drawn.unmount()
  })
})
