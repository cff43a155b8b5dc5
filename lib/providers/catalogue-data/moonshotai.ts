// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["kimi-k2.6","Kimi K2.6",262144,262144,"ri",[0.95,4,0.16],{"effort":"-,-,-,-,-,-","form":"thinking"}],
  ["kimi-k2.7-code","Kimi K2.7 Code",262144,262144,"ri",[0.95,4,0.19],{"effort":"-,-,-,-,-,-","form":"thinking","always":true}],
  ["kimi-k2.7-code-highspeed","Kimi K2.7 Code HighSpeed",262144,262144,"ri",[1.9,8,0.38],{"effort":"-,-,-,-,-,-","form":"thinking","always":true}],
  ["kimi-k3","Kimi K3",1048576,1048576,"ri",[3,15,0.3],{"effort":"-,low,low,high,high,max","replay":true}],
  ["kimi-k3.1-pro","Kimi K3.1 Pro",1048576,1048576,"ri",[2,10,0.2],{"effort":"-,low,low,high,high,max","replay":true}],
  ["kimi-k3.1-pro-highspeed","Kimi K3.1 Pro Highspeed",1048576,1048576,"ri",[4,20,0.2],{"effort":"-,low,low,high,high,max","replay":true}],
]
