import { en, type SearchTexts } from './en.ts'
export const pt: SearchTexts = en
