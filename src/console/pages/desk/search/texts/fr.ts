import { en, type SearchTexts } from './en.ts'
export const fr: SearchTexts = en
