// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["k3","Kimi K3",1048576,131072,"ri",[],{"effort":"-,low,low,high,high,max","replay":true}],
  ["k3-256k","Kimi K3-256K",262144,131072,"ri",[],{"effort":"-,low,low,high,high,max","replay":true}],
  ["k3.1-pro","Kimi K3.1 Pro",1048576,131072,"ri",[],{"effort":"-,low,low,high,high,max","replay":true}],
  ["k3.1-pro-highspeed","Kimi K3.1 Pro Highspeed",1048576,131072,"ri",[],{"effort":"-,low,low,high,high,max","replay":true}],
  ["kimi-for-coding","kimi-for-coding",1048576,32768,"ri",[],{"effort":"-,low,low,high,high,max","replay":true}],
  ["kimi-for-coding-highspeed","Kimi For Coding HighSpeed",262144,32768,"ri",[],{"effort":"-,-,-,-,-,-","form":"thinking","always":true}],
]
