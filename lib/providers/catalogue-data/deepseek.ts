// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["deepseek-flash","DeepSeek V4.1 Flash",1000000,384000,"ri",[0.3,1.2,0.006],{"effort":"-,low,low,high,high,max","replay":true}],
  ["deepseek-v4-pro","DeepSeek V4 Pro",1000000,384000,"r",[1.32,3.96,0.044],{"effort":"-,high,high,high,high,max","replay":true}],
]
