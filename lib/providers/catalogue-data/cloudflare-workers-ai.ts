// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["@cf/deepseek-ai/deepseek-v4-flash-0731","DeepSeek V4 Flash 0731",1048576,1048576,"r",[0.44,1.32,0.014],{"effort":"-,high,high,high,high,max","form":"thinking","replay":true}],
  ["@cf/deepseek-ai/deepseek-v4-pro-0813","DeepSeek V4 Pro 0813",1048576,1048576,"r",[1.32,3.96,0.044],{"effort":"-,high,high,high,high,max","form":"thinking","replay":true}],
  ["@cf/deepseek-ai/deepseek-v4.1-flash-1017","DeepSeek V4.1 Flash 1017",1048576,1048576,"ri",[0.3,1.2,0.006],{"effort":"-,high,high,high,high,max","form":"thinking","replay":true}],
  ["@cf/google/gemma-4-26b-a4b-it","Gemma 4 26B A4B IT",256000,16384,"ri",[0.1,0.3,0.05]],
  ["@cf/ibm-granite/granite-4.0-h-micro","Granite 4.0 H Micro",131000,131000,"",[0.017,0.112]],
  ["@cf/meta/llama-3.3-70b-instruct-fp8-fast","Llama 3.3 70B Instruct fp8 Fast",24000,24000,"",[0.293,2.253]],
  ["@cf/meta/llama-4-scout-17b-16e-instruct","Llama 4 Scout 17B 16E Instruct",131000,16384,"i",[0.27,0.85]],
  ["@cf/mistralai/mistral-small-3.1-24b-instruct","Mistral Small 3.1 24B Instruct",128000,128000,"i",[0.351,0.555]],
  ["@cf/moonshotai/kimi-k2.6","Kimi K2.6",262144,256000,"ri",[0.95,4,0.16],{"effort":"none,high,high,high,high,high"}],
  ["@cf/moonshotai/kimi-k2.7-code","Kimi K2.7 Code",262144,262144,"ri",[0.95,4,0.19]],
  ["@cf/nvidia/nemotron-3-120b-a12b","Nemotron 3 Super 120B",256000,256000,"r",[0.5,1.5],{"effort":"-,low,low,high,high,high"}],
  ["@cf/openai/gpt-oss-120b","GPT OSS 120B",128000,16384,"r",[0.35,0.75],{"effort":"-,low,low,medium,high,high"}],
  ["@cf/openai/gpt-oss-20b","GPT OSS 20B",128000,16384,"r",[0.2,0.3],{"effort":"-,low,low,medium,high,high"}],
  ["@cf/qwen/qwen3-30b-a3b-fp8","Qwen3 30B A3b fp8",32768,32768,"r",[0.0509,0.335]],
  ["@cf/qwen/qwen3.8-27b","Qwen3.8 27B",262144,262144,"ri",[0.45,3.2,0.05],{"effort":"-,low,low,medium,xhigh,xhigh"}],
  ["@cf/zai-org/glm-4.7-flash","GLM-4.7-Flash",131072,131072,"r",[0.0605,0.4]],
  ["@cf/zai-org/glm-5.2","Glm 5.2",262144,256000,"r",[1.4,4.4,0.26],{"effort":"none,high,high,high,high,max"}],
  ["@cf/zai-org/glm-5.3","Glm 5.3",1048576,1048576,"r",[1.4,4.4,0.26],{"effort":"-,low,low,high,high,max"}],
  ["@cf/zai-org/glm-5.3-flash","Glm 5.3 Flash",1048576,1048576,"ri",[0.15,0.5,0.03],{"effort":"-,low,low,high,high,max"}],
]
