// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["gpt-oss-120b","GPT OSS 120B",131072,40960,"r",[0.35,0.75,0.35],{"effort":"-,low,low,medium,high,high"}],
  ["qwen-3.8-27b","Qwen3.8 27B",131072,40960,"ri",[0.99,1.49,0.99],{"effort":"none,low,low,medium,high,high"}],
]
