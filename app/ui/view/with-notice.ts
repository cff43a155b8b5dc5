// A line for people stands where it was told, behind what was there.
import type { NoticeItem } from './view-item.ts'
import type { View } from './view.ts'

export function withNotice(view: View, { level, text, hint }: Omit<NoticeItem, 'id' | 'kind'>): View {
  const notices = view.notices + 1
  const item: NoticeItem = {
    kind: 'notice',
    id: `notice-${notices}`,
    level,
    text,
    ...(hint === undefined ? {} : { hint }),
  }
  return { ...view, notices, live: [...view.live, item] }
}
